#include "execute/record/run_record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "emulator/execution_record.h"

namespace cuset::execute {
namespace {

// Up to the first zero or the field's end. Bytes that are no printable ASCII become '?': names go to
// terminals and into JSON.
template <size_t N>
std::string clean_text(const char (&field)[N]) {
  std::string text(field, ::strnlen(field, N));
  for (char& c : text) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return text;
}

KernelLaunches read_kernel(const CusetKernelRecord& record) {
  KernelLaunches kernel;
  kernel.name = clean_text(record.name);
  std::copy(std::begin(record.grid), std::end(record.grid), kernel.grid);
  std::copy(std::begin(record.block), std::end(record.block), kernel.block);
  kernel.shared_bytes = record.shared_bytes;
  kernel.static_shared_bytes = record.static_shared_bytes;
  kernel.registers = record.registers;
  kernel.local_bytes = record.local_bytes;
  kernel.launches = record.launches;
  kernel.failed = record.failed_launches;
  kernel.total_ms = static_cast<double>(record.total_nanoseconds) * 1e-6;
  kernel.shortest_ms = static_cast<double>(record.shortest_nanoseconds) * 1e-6;
  return kernel;
}

RunFinding read_finding(const CusetFindingRecord& record) {
  RunFinding finding;
  finding.kind = clean_text(record.kind);
  finding.kernel = clean_text(record.kernel);
  finding.file = clean_text(record.file);
  finding.text = clean_text(record.text);
  finding.line = record.line;
  finding.column = record.column;
  std::copy(std::begin(record.block), std::end(record.block), finding.block);
  std::copy(std::begin(record.thread), std::end(record.thread), finding.thread);
  finding.count = record.count;
  return finding;
}

RunRecord read_record(const CusetExecutionRecord& record) {
  RunRecord run;
  run.state = RunRecord::State::kWhole;
  run.finished = record.finished == 1;
  run.launches = record.launches;
  run.kernels_left_out = record.kernels_left_out;
  run.findings_left_out = record.findings_left_out;
  run.first_error = record.first_error;
  run.device_error = record.device_error;
  const uint32_t kernels = std::min<uint32_t>(record.kernel_count, CUSET_RECORD_KERNELS);
  for (uint32_t i = 0; i < kernels; ++i) run.kernels.push_back(read_kernel(record.kernels[i]));
  const uint32_t findings = std::min<uint32_t>(record.finding_count, CUSET_RECORD_FINDINGS);
  for (uint32_t i = 0; i < findings; ++i) run.findings.push_back(read_finding(record.findings[i]));
  return run;
}

}  // namespace

RunRecord parse_run_record(std::span<const std::byte> bytes) {
  // By the program: the key comes from outside.
  const std::span<const std::byte> own =
      bytes.first(std::min(bytes.size(), offsetof(CusetExecutionRecord, input_key)));
  const bool untouched = std::all_of(own.begin(), own.end(), [](std::byte b) { return b == std::byte{0}; });
  RunRecord run;
  if (bytes.size() >= sizeof(CusetExecutionRecord) && !untouched) {
    const auto record = std::make_unique<CusetExecutionRecord>();
    std::memcpy(record.get(), bytes.data(), sizeof *record);
    if (record->magic == CUSET_RECORD_MAGIC && record->version == CUSET_RECORD_VERSION) {
      return read_record(*record);
    }
  }
  const bool whole_size = bytes.size() >= sizeof(CusetExecutionRecord);
  run.state = whole_size && untouched ? RunRecord::State::kAbsent : RunRecord::State::kDamaged;
  return run;
}

const RunFinding* find_finding(const std::vector<RunFinding>& findings, std::string_view kind) {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const RunFinding& f) { return f.kind == kind; });
  return found == findings.end() ? nullptr : &*found;
}

std::filesystem::path record_path_in(const std::filesystem::path& folder) {
  std::random_device random;
  return std::filesystem::absolute(folder) / fmt::format(".cuset-record-{:08x}{:08x}", random(), random());
}

RunRecordFile::RunRecordFile(std::filesystem::path path)
    : path_(std::move(path)), file_(base::open_file(path_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)) {
  // The program may run under another user's number inside the sandbox.
  ::fchmod(file_.get(), 0666);
  if (::ftruncate(file_.get(), sizeof(CusetExecutionRecord)) != 0) {
    const int reason = errno;
    ::unlink(path_.c_str());
    throw base::file_error("make the execution record", path_, reason);
  }
}

void RunRecordFile::announce_in(std::map<std::string, std::string>& environment) const {
  environment[CUSET_RECORD_VARIABLE] = path_.string();
}

RunRecordFile::~RunRecordFile() { ::unlink(path_.c_str()); }

void RunRecordFile::write_field(const void* value, size_t bytes, size_t place) const {
  if (::pwrite(file_.get(), value, bytes, static_cast<off_t>(place)) != static_cast<ssize_t>(bytes))
    throw base::file_error("write to", path_, errno);
}

void RunRecordFile::give_input_key(const base::InputKey& key) const {
  write_field(key.data(), sizeof key, offsetof(CusetExecutionRecord, input_key));
}

void RunRecordFile::turn_kernels_off() const {
  const uint32_t off = 1;
  write_field(&off, sizeof off, offsetof(CusetExecutionRecord, kernels_off));
}

void RunRecordFile::turn_threads_backward() const {
  const uint32_t backward = 1;
  write_field(&backward, sizeof backward, offsetof(CusetExecutionRecord, backward));
}

RunRecord RunRecordFile::read() const {
  std::vector<std::byte> bytes(sizeof(CusetExecutionRecord));
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got =
        ::pread(file_.get(), bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw base::file_error("read", path_, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return parse_run_record(bytes);
}

}  // namespace cuset::execute
