#include "benchmarks/kernelbench/python_kernels.h"

#include <algorithm>

#include "cuda_source/answer.h"

namespace cuset::benchmarks {

std::vector<std::string> kernels_in_python(const std::string& source) {
  std::vector<std::string> names;
  for (const cuda_source::Region& region : cuda_source::find_regions_in_python(source)) {
    if (region.kind != cuda_source::RegionKind::kKernelBody) continue;
    if (std::find(names.begin(), names.end(), region.name) == names.end()) names.push_back(region.name);
  }
  return names;
}

std::optional<std::string> without_kernels_in_python(const std::string& source) {
  std::string noop = source;
  for (const cuda_source::Region& region : cuda_source::find_regions_in_python(source)) {
    if (region.kind != cuda_source::RegionKind::kKernelBody || region.end - region.begin < 2) continue;
    for (size_t i = region.begin + 1; i + 1 < region.end; ++i) {
      if (noop[i] != '\n' && noop[i] != '"' && noop[i] != '\'') noop[i] = ' ';
    }
  }
  return noop == source ? std::nullopt : std::optional(std::move(noop));
}

}  // namespace cuset::benchmarks
