#include "gym/solutions/product.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

// Every `$key` of the text replaced; a longer key that begins with it stays.
std::string replaced(std::string text, std::string_view key, std::string_view by) {
  const auto goes_on = [&](size_t at) {
    return at < text.size() && (std::isalnum(text[at]) || text[at] == '_');
  };
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
    if (goes_on(at + key.size())) {
      at += key.size();
    } else {
      text.replace(at, key.size(), by);
      at += by.size();
    }
  }
  return text;
}

class ProductKernels {
 public:
  ProductKernels(const ProductWork& work, base::RandomStream& stream) : work_(work), stream_(stream) {}

  GymSolution thread_per_element() const;
  GymSolution shared_tiles() const;
  GymSolution four_columns() const;
  GymSolution block_per_row() const;

 private:
  GymSolution solution(std::string style) const;
  bool batched() const { return !work_.batches.empty(); }
  std::string batch_line(std::string_view axis) const {
    return batched() ? fmt::format("int $batch = blockIdx.{};\n", axis) : "";
  }
  // Blocks of $side x $side threads over the result.
  void launch_squares(GymKernel& kernel) const {
    kernel.grid = fmt::format("dim3(({} + $side - 1) / $side, ({} + $side - 1) / $side{})", work_.columns,
                              work_.rows, batched() ? ", " + work_.batches : "");
    kernel.block = "dim3($side, $side)";
  }
  std::string end() const { return work_.last.empty() ? work_.inner : work_.last; }

  const ProductWork& work_;
  base::RandomStream& stream_;
};

GymSolution ProductKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.headers = work_.headers;
  solution.kernels = {{.arrays = work_.arrays, .sizes = work_.sizes, .scalars = work_.scalars}};
  return solution;
}

GymSolution ProductKernels::thread_per_element() const {
  GymSolution result = solution("thread_per_element");
  result.constants = {{"side", power_between(stream_, 8, 16)}};
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
      "int $row = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "int $column = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "{}"
      "if ($row < {} && $column < {}) {{\n"
      "  float $acc = 0.0f;\n"
      "  for (int $k = 0; $k < {}; ++$k) {{\n"
      "    $acc += {} * {};\n"
      "  }}\n"
      "{}"
      "}}\n",
      batch_line("z"), work_.rows, work_.columns, end(), work_.left, work_.right, indented(work_.store));
  launch_squares(kernel);
  result.reasoning = {
      "one thread computes one element of the result, x along its columns and y along its rows",
      "the sum over k stays in a register", "neighboring threads write neighboring elements of a row"};
  return result;
}

GymSolution ProductKernels::shared_tiles() const {
  GymSolution result = solution("shared_tiles");
  result.constants = {{"side", power_between(stream_, 8, 16)}};
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
      "__shared__ float $tile_a[$side][$side];\n"
      "__shared__ float $tile_b[$side][$side];\n"
      "int $tx = threadIdx.x, $ty = threadIdx.y;\n"
      "int $row = blockIdx.y * $side + $ty;\n"
      "int $column = blockIdx.x * $side + $tx;\n"
      "{}"
      "float $acc = 0.0f;\n"
      "for (int $base = 0; $base < {}; $base += $side) {{\n"
      "  $tile_a[$ty][$tx] = $row < {} && $base + $tx < {} ? {} : 0.0f;\n"
      "  $tile_b[$ty][$tx] = $column < {} && $base + $ty < {} ? {} : 0.0f;\n"
      "  __syncthreads();\n"
      "  for (int $k = 0; $k < $side; ++$k) {{\n"
      "    $acc += $tile_a[$ty][$k] * $tile_b[$k][$tx];\n"
      "  }}\n"
      "  __syncthreads();\n"
      "}}\n"
      "if ($row < {} && $column < {}) {{\n"
      "{}"
      "}}\n",
      batch_line("z"), work_.inner, work_.rows, end(), replaced(work_.left, "$k", "($base + $tx)"),
      work_.columns, work_.inner, replaced(work_.right, "$k", "($base + $ty)"), work_.rows, work_.columns,
      indented(work_.store));
  launch_squares(kernel);
  result.reasoning = {
      "a block computes one square tile of the result, a thread one element of it",
      "the sum over k goes tile by tile; a barrier stands before and after each tile's use",
      "each tile of both factors is read from global memory once by the block and reused from shared memory"};
  return result;
}

GymSolution ProductKernels::four_columns() const {
  GymSolution result = solution("four_columns_per_thread");
  result.constants = {{"block", power_between(stream_, 64, 128)}};
  GymKernel& kernel = result.kernels[0];
  const std::string right = replaced(work_.right, "$column", "($first + $u)");
  const std::string store = replaced(replaced(work_.store, "$acc", "$sums[$u]"), "$column", "($first + $u)");
  kernel.body = fmt::format(
      "int $strips = ({0} + 3) / 4;\n"
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "int $row = $i / $strips;\n"
      "int $first = $i % $strips * 4;\n"
      "{1}"
      "if ($row >= {2}) return;\n"
      "float $sums[4] = {{0.0f, 0.0f, 0.0f, 0.0f}};\n"
      "for (int $k = 0; $k < {3}; ++$k) {{\n"
      "  float $value = {4};\n"
      "  for (int $u = 0; $u < 4 && $first + $u < {0}; ++$u) {{\n"
      "    $sums[$u] += $value * {5};\n"
      "  }}\n"
      "}}\n"
      "for (int $u = 0; $u < 4 && $first + $u < {0}; ++$u) {{\n"
      "{6}"
      "}}\n",
      work_.columns, batch_line("y"), work_.rows, end(), work_.left, right, indented(store));
  const std::string blocks =
      fmt::format("({} * (({} + 3) / 4) + $block - 1) / $block", work_.rows, work_.columns);
  kernel.grid = batched() ? fmt::format("dim3({}, {})", blocks, work_.batches) : blocks;
  kernel.block = "$block";
  result.reasoning = {"each thread computes four neighboring elements of one row",
                      "four sums stay in registers",
                      "an element of the left factor is read once for four products"};
  return result;
}

GymSolution ProductKernels::block_per_row() const {
  GymSolution result = solution("block_per_row");
  result.constants = {{"block", power_between(stream_, 32, 128)}};
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
      "extern __shared__ float $shared[];\n"
      "int $row = blockIdx.x;\n"
      "{0}"
      "for (int $k = threadIdx.x; $k < {1}; $k += blockDim.x) {{\n"
      "  $shared[$k] = {2};\n"
      "}}\n"
      "__syncthreads();\n"
      "for (int $column = threadIdx.x; $column < {3}; $column += blockDim.x) {{\n"
      "  float $acc = 0.0f;\n"
      "  for (int $k = 0; $k < {1}; ++$k) {{\n"
      "    $acc += $shared[$k] * {4};\n"
      "  }}\n"
      "{5}"
      "}}\n",
      batch_line("y"), end(), work_.left, work_.columns, work_.right, indented(work_.store));
  kernel.grid = batched() ? fmt::format("dim3({}, {})", work_.rows, work_.batches) : work_.rows;
  kernel.block = "$block";
  kernel.shared_bytes = work_.inner + " * sizeof(float)";
  result.reasoning = {"a block computes one row of the result, its threads walk over the columns",
                      "the sum over k stays in a register",
                      "the row of the left factor lies in shared memory, since every column needs it"};
  return result;
}

}  // namespace

FactorSizes draw_product(base::RandomStream& stream, int64_t most) {
  return {whole_between(stream, 16, most), whole_between(stream, 16, most), whole_between(stream, 16, most)};
}

GymDraft draft_on_factors(const FactorSizes& size, tasks::NumberType type, bool transpose_a,
                          bool transpose_b) {
  GymDraft draft;
  draft.sizes = {{"rows", size.rows}, {"inner", size.inner}, {"columns", size.columns}};
  GymArray a{"a", type, {size.rows, size.inner}, {"rows", "inner"}, normal(), {}};
  GymArray b{"b", type, {size.inner, size.columns}, {"inner", "columns"}, normal(), {}};
  for (GymArray* factor : {transpose_a ? &a : nullptr, transpose_b ? &b : nullptr}) {
    if (factor == nullptr) continue;
    std::swap(factor->shape[0], factor->shape[1]);
    std::swap(factor->sides[0], factor->sides[1]);
  }
  draft.inputs = {a, b};
  draft.outputs = {
      {"c", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-5, 1e-5}}};
  return draft;
}

std::vector<GymSolution> product_solutions(const ProductWork& work, base::RandomStream& stream) {
  const ProductKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.thread_per_element(), kernels.shared_tiles(),
                                        kernels.four_columns(), kernels.block_per_row()};
  keep_used_parameters(solutions);
  return solutions;
}

}  // namespace cuset::gym
