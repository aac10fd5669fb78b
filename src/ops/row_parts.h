// Rows split over the threads of the CPU: one run of neighbouring rows per thread. Which rows a part has
// depends on the numbers of rows and threads alone, so that sums taken part by part are repeatable.
#pragma once

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstdint>

namespace cuset {

// Whether our own loops over rows run here: float32 on the CPU. They want contiguous rows.
inline bool has_cpu_loops(const torch::Tensor& x) { return x.is_cpu() && x.scalar_type() == torch::kFloat32; }

// At most one part per thread, each of at least `fewest` rows unless there are fewer; 1 for no rows.
inline int64_t row_parts(int64_t rows, int64_t fewest) {
  return std::clamp<int64_t>(rows / std::max<int64_t>(fewest, 1), 1, at::get_num_threads());
}

// Calls work(part, begin, end) for every part of `rows`, each on its own thread.
template <typename Work>
void for_row_parts(int64_t rows, int64_t parts, const Work& work) {
  at::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part)
      work(part, rows * part / parts, rows * (part + 1) / parts);
  });
}

}  // namespace cuset
