// Whole numbers added up by the place each belongs to.
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymSolution adding(const std::string& style, base::RandomStream& stream) {
  GymSolution solution;
  solution.style = style;
  solution.constants = {{"block", power_between(stream, 64, 256)}};
  solution.kernels = {{.arrays = {"x", "indices", "y"},
                       .sizes = {"n", "slots"},
                       .grid = "($n + $block - 1) / $block",
                       .block = "$block"}};
  solution.zeroed = {"y"};
  return solution;
}

GymSolution one_atomic_each(base::RandomStream& stream) {
  GymSolution result = adding("one_thread_each", stream);
  result.kernels[0].body =
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n) atomicAdd(&$y[$indices[$i]], $x[$i]);\n";
  result.reasoning = {"one thread adds one element of $x to its sum",
                      "additions to the same place are made safe by atomicAdd",
                      "$y must be 0 before the launch"};
  return result;
}

GymSolution striding(base::RandomStream& stream) {
  GymSolution result = adding("grid_stride", stream);
  result.kernels[0].body =
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += gridDim.x * blockDim.x)\n"
      "  atomicAdd($y + $indices[$i], $x[$i]);\n";
  result.kernels[0].grid = std::to_string(whole_between(stream, 4, 32));
  result.reasoning = {"a fixed grid strides over $x", "every addition is an atomic in global memory",
                      "$y must be 0 before the launch"};
  return result;
}

GymSolution shared_sums(base::RandomStream& stream) {
  GymSolution result = adding("shared_sums", stream);
  result.kernels[0].body =
      "extern __shared__ int $local[];\n"
      "for (int $j = threadIdx.x; $j < $slots; $j += blockDim.x) $local[$j] = 0;\n"
      "__syncthreads();\n"
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += gridDim.x * blockDim.x)\n"
      "  atomicAdd(&$local[$indices[$i]], $x[$i]);\n"
      "__syncthreads();\n"
      "for (int $j = threadIdx.x; $j < $slots; $j += blockDim.x) atomicAdd(&$y[$j], $local[$j]);\n";
  result.kernels[0].grid = std::to_string(whole_between(stream, 4, 16));
  result.kernels[0].shared_bytes = "$slots * sizeof(int)";
  result.reasoning = {"a fixed grid strides over $x",
                      "each block adds up in shared memory first and gives its sums to $y at the end",
                      "most atomics stay in shared memory"};
  return result;
}

GymSolution owners(base::RandomStream& stream) {
  GymSolution result = adding("warp_per_slot", stream);
  result.zeroed.clear();
  result.kernels[0].body =
      "int $slot = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
      "int $lane = threadIdx.x % 32;\n"
      "if ($slot >= $slots) return;\n"
      "int $sum = 0;\n"
      "for (int $i = $lane; $i < $n; $i += 32)\n"
      "  if ($indices[$i] == $slot) $sum += $x[$i];\n"
      "for (int $offset = 16; $offset > 0; $offset /= 2) $sum += __shfl_down_sync(0xffffffff, $sum, $offset);\n"
      "if ($lane == 0) $y[$slot] = $sum;\n";
  result.kernels[0].grid = "($slots * 32 + $block - 1) / $block";
  result.reasoning = {"one warp owns one sum and looks through all elements",
                      "each lane adds what belongs to the warp's place; shuffles combine the lanes",
                      "no atomics and nothing to clear, at the price of reading $indices once per place"};
  return result;
}

GymDraft draw_scatter_add(base::RandomStream& stream) {
  const int64_t n = whole_between(stream, 2000, 12000);
  const int64_t slots = whole_between(stream, 10, 150);
  GymDraft draft;
  draft.titles = {"the elements of $x added up by the place $indices gives each", "a scatter-add of $x",
                  "the sums of $slots groups of whole numbers",
                  "the totals of $x by group, where $indices names the group"};
  draft.formula = "$y[s] = sum of $x[i] over all i with $indices[i] == s";
  draft.sizes = {{"n", n}, {"slots", slots}};
  draft.inputs = {{"x", tasks::NumberType::kInt32, {n}, {"n"}, whole_numbers(-1000, 1000), {}},
                  {"indices", tasks::NumberType::kInt32, {n}, {"n"}, indices_below(slots), {}}};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {slots}, {"slots"}, {}, {}}};
  draft.oracle = {"scatter", base::Json::object(), ""};
  draft.solutions = {one_atomic_each(stream), striding(stream), shared_sums(stream), owners(stream)};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_scatter_add;
const GymFamily kFamily_scatter_add = {"scatter_add", "indexing", draw_scatter_add};

}  // namespace cuset::gym
