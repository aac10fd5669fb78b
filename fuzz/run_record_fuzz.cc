// The execution record of a hostile program: whatever it holds, what is read is bounded and printable.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "emulator/execution_record.h"
#include "execute/record/run_outcome.h"

namespace {

void check_text(const std::string& text, size_t limit) {
  CUSET_CHECK(text.size() <= limit, "{} bytes", text.size());
  for (const char c : text) CUSET_CHECK(c >= 0x20 && c <= 0x7e, "byte {}", static_cast<int>(c));
}

// The input covers the record's start and its first kernel and finding; the rest stays zero.
std::vector<std::byte> record_of(const uint8_t* data, size_t size) {
  std::vector<std::byte> record(sizeof(CusetExecutionRecord));
  const size_t head = std::min(size, offsetof(CusetExecutionRecord, kernels) + 2 * sizeof(CusetKernelRecord));
  std::memcpy(record.data(), data, head);
  const size_t rest = std::min(size - head, 2 * sizeof(CusetFindingRecord));
  std::memcpy(record.data() + offsetof(CusetExecutionRecord, findings), data + head, rest);
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cuset::execute::parse_run_record(std::as_bytes(std::span(data, size)));
  cuset::execute::RunRecord record = cuset::execute::parse_run_record(record_of(data, size));
  CUSET_CHECK(record.kernels.size() <= CUSET_RECORD_KERNELS, "{} kernels", record.kernels.size());
  CUSET_CHECK(record.findings.size() <= CUSET_RECORD_FINDINGS, "{} findings", record.findings.size());
  for (const cuset::execute::KernelLaunches& kernel : record.kernels)
    check_text(kernel.name, CUSET_RECORD_NAME);
  for (const cuset::execute::RunFinding& finding : record.findings) {
    check_text(finding.kind, sizeof CusetFindingRecord::kind);
    check_text(finding.text, CUSET_RECORD_TEXT);
  }
  cuset::sandbox::SandboxResult process;
  process.ending = size % 2 == 0 ? cuset::sandbox::Ending::kExited : cuset::sandbox::Ending::kSignalled;
  process.exit_status = static_cast<int>(size % 3);
  process.signal = static_cast<int>(size % 70);
  const cuset::execute::Run run = cuset::execute::classify_run(process, record, {});
  CUSET_CHECK(run.explanation.find('\n') == run.explanation.npos, "{}", run.explanation);
  return 0;
}
