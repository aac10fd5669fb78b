// Rows split over the threads of the CPU: one run of neighboring rows per thread. Which rows a part has
// depends on the numbers of rows and threads alone, so that sums taken part by part are repeatable.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>

namespace cuset::ops {

// Whether our own loops over rows run here: float32 on the CPU. They want contiguous rows.
inline bool has_cpu_loops(const torch::Tensor& x) { return x.is_cpu() && x.scalar_type() == torch::kFloat32; }

// At most one part per thread, each of at least `fewest` rows unless there are fewer; 1 for no rows.
int64_t row_parts(int64_t rows, int64_t fewest);

// Calls work(part, begin, end) for every part of `rows`, each on its own thread, and returns when all are
// done. What they throw is thrown here.
void for_row_parts(int64_t rows, int64_t parts,
                   const std::function<void(int64_t part, int64_t begin, int64_t end)>& work);

// Calls work(unit) for every unit of 0 .. units - 1, from the first on: a thread that is done with one takes the
// next. For units of unequal work that share no sums. What they throw is thrown here.
void for_each_unit(int64_t units, const std::function<void(int64_t unit)>& work);

}  // namespace cuset::ops
