// Sources of answers and references: looked over, without their kernels, and in wrong versions. Any bytes are
// taken, in time that grows with their number.
#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "benchmarks/own_tests/answer_kernels.h"
#include "judge/audit/mutants.h"
#include "judge/lint/lint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuset;
  const std::string source(reinterpret_cast<const char*>(data), size);
  const auto lines = std::count(source.begin(), source.end(), '\n') + 1;
  if (const auto finding = judge::lint(source))
    CUSET_CHECK(finding->line >= 1 && finding->line <= lines && !finding->text.empty(), "line {}",
                finding->line);
  if (const auto noop = benchmarks::without_kernels(source))
    CUSET_CHECK(std::count(noop->begin(), noop->end(), '\n') + 1 == lines && noop->size() > size, "{} bytes",
                size);
  for (const judge::Mutant& mutant : judge::mutants_of(source, 3))
    CUSET_CHECK(mutant.source != source && mutant.line >= 1 && mutant.line <= lines, "{}", mutant.kind);
  return 0;
}
