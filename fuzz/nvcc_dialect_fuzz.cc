// Answers of any kind before a compiler sees them: what clang is given instead of nvcc's words, and which headers are precompiled. Lines
// stay lines, and what is rewritten twice is not rewritten again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "base/error.h"
#include "execute/build/leading_headers.h"
#include "execute/build/nvcc_dialect.h"

namespace {

void check_lines(const std::string& given, const std::string& rewritten) {
  const auto before = std::count(given.begin(), given.end(), '\n');
  const auto after = std::count(rewritten.begin(), rewritten.end(), '\n');
  CUSET_CHECK(before == after, "{} lines became {}", before, after);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string source(reinterpret_cast<const char*>(data), size);
  check_lines(source, cuset::execute::in_words_of_clang(source));
  check_lines(source, cuset::execute::in_words_of_clang(source, false));
  std::set<std::string> kernels;
  cuset::execute::add_kernel_names(source, kernels);
  const std::string marked = cuset::execute::with_kernel_values(source, kernels);
  check_lines(source, marked);
  CUSET_CHECK(!kernels.empty() || marked == source, "rewritten without a kernel");
  cuset::execute::leading_headers(source);
  return 0;
}
