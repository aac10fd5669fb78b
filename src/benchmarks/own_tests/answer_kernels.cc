#include "benchmarks/own_tests/answer_kernels.h"

#include <algorithm>
#include <set>

#include "cuda_source/code.h"
#include "cuda_source/functions.h"
#include "cuda_source/regions.h"

namespace cuset::benchmarks {

std::optional<std::string> without_kernels(const std::string& source) {
  const cuda_source::Source read = cuda_source::read_source(source);
  // A set, because two heads in two conditional branches may share one body.
  std::set<size_t> starts;
  const auto add = [&](const cuda_source::Code& code) {
    for (const cuda_source::Function& function : cuda_source::find_functions(code, read.aliases))
      if (function.kernel && function.body != cuda_source::Code::kNone)
        starts.insert(code[function.body].end);
  };
  add(read.code);
  for (const cuda_source::Code& macro : read.macros) add(macro);
  if (starts.empty()) return std::nullopt;

  std::string result;
  size_t copied = 0;
  for (const size_t start : starts) {
    result.append(source, copied, start - copied).append("return;");
    copied = start;
  }
  return result.append(source, copied);
}

std::vector<std::string> own_kernels(const std::string& source) {
  std::vector<std::string> names;
  for (std::string& name : cuda_source::find_kernel_use(source).defined)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  return names;
}

}  // namespace cuset::benchmarks
