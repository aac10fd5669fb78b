// at::parallel_for is a template: without OpenMP in this file's own compilation it is a plain loop.
#include "ops/cpu/row_parts.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

namespace cuset::ops {

int64_t row_parts(int64_t rows, int64_t fewest) {
  return std::clamp<int64_t>(rows / std::max<int64_t>(fewest, 1), 1, at::get_num_threads());
}

void for_row_parts(int64_t rows, int64_t parts,
                   const std::function<void(int64_t part, int64_t begin, int64_t end)>& work) {
  at::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part)
      work(part, rows * part / parts, rows * (part + 1) / parts);
  });
}

void for_each_unit(int64_t units, const std::function<void(int64_t unit)>& work) {
  std::atomic<int64_t> next = 0;
  at::parallel_for(0, row_parts(units, 1), 1, [&](int64_t first, int64_t last) {
    for (int64_t thread = first; thread < last; ++thread) {
      for (int64_t unit = next++; unit < units; unit = next++) work(unit);
    }
  });
}

}  // namespace cuset::ops
