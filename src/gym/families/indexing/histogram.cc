// How often each number occurs: atomics in global memory, in shared memory, and counts per warp.
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymSolution counting(const std::string& style, base::RandomStream& stream) {
  GymSolution solution;
  solution.style = style;
  solution.constants = {{"block", power_between(stream, 64, 256)}, {"blocks", whole_between(stream, 4, 24)}};
  solution.kernels = {
      {.arrays = {"x", "counts"}, .sizes = {"n", "bins"}, .grid = "$blocks", .block = "$block"}};
  solution.zeroed = {"counts"};
  return solution;
}

const std::string kStride =
    "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += gridDim.x * blockDim.x)\n";

GymSolution global_atomics(base::RandomStream& stream) {
  GymSolution result = counting("global_atomics", stream);
  result.kernels[0].body =
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n) atomicAdd(&$counts[$x[$i]], 1);\n";
  result.kernels[0].grid = "($n + $block - 1) / $block";
  result.constants.pop_back();
  result.reasoning = {
      "one thread counts one element", "each adds 1 to its bin by an atomic in global memory",
      "the counts must be 0 before the launch; threads that meet in a bin wait for each other"};
  return result;
}

GymSolution shared_counts(base::RandomStream& stream) {
  GymSolution result = counting("shared_counts", stream);
  result.kernels[0].body =
      "extern __shared__ int $local[];\n"
      "for (int $j = threadIdx.x; $j < $bins; $j += blockDim.x) $local[$j] = 0;\n"
      "__syncthreads();\n" +
      kStride +
      "  atomicAdd(&$local[$x[$i]], 1);\n"
      "__syncthreads();\n"
      "for (int $j = threadIdx.x; $j < $bins; $j += blockDim.x)\n"
      "  if ($local[$j] > 0) atomicAdd(&$counts[$j], $local[$j]);\n";
  result.kernels[0].shared_bytes = "$bins * sizeof(int)";
  result.reasoning = {"a fixed grid strides over $x",
                      "each block counts in shared memory and adds its counts to the result at the end",
                      "atomics in shared memory are cheap; global ones are few, one per bin and block"};
  return result;
}

GymSolution warp_counts(base::RandomStream& stream) {
  GymSolution result = counting("warp_counts", stream);
  result.kernels[0].body =
      "extern __shared__ int $local[];\n"
      "int $warps = blockDim.x / 32;\n"
      "for (int $j = threadIdx.x; $j < $warps * $bins; $j += blockDim.x) $local[$j] = 0;\n"
      "__syncthreads();\n"
      "int* $mine = $local + threadIdx.x / 32 * $bins;\n" +
      kStride +
      "  atomicAdd(&$mine[$x[$i]], 1);\n"
      "__syncthreads();\n"
      "for (int $j = threadIdx.x; $j < $bins; $j += blockDim.x) {\n"
      "  int $sum = 0;\n"
      "  for (int $w = 0; $w < $warps; ++$w) $sum += $local[$w * $bins + $j];\n"
      "  atomicAdd(&$counts[$j], $sum);\n"
      "}\n";
  result.kernels[0].shared_bytes = "$block / 32 * $bins * sizeof(int)";
  result.reasoning = {"a fixed grid strides over $x",
                      "every warp counts for itself in shared memory; then the block adds up its warps",
                      "only threads of one warp can meet in a bin, so that few atomics wait"};
  return result;
}

GymSolution bin_owners(base::RandomStream& stream) {
  GymSolution result = counting("block_per_bin", stream);
  result.constants = {{"block", 128}};
  result.zeroed.clear();
  result.kernels[0].body =
      "__shared__ int $parts[$block];\n"
      "int $mine = 0;\n"
      "for (int $i = threadIdx.x; $i < $n; $i += $block) $mine += $x[$i] == blockIdx.x;\n"
      "$parts[threadIdx.x] = $mine;\n"
      "__syncthreads();\n"
      "for (int $offset = $block / 2; $offset > 0; $offset /= 2) {\n"
      "  if (threadIdx.x < $offset) $parts[threadIdx.x] += $parts[threadIdx.x + $offset];\n"
      "  __syncthreads();\n"
      "}\n"
      "if (threadIdx.x == 0) $counts[blockIdx.x] = $parts[0];\n";
  result.kernels[0].grid = "$bins";
  result.reasoning = {"one block per bin reads all of $x and counts its own number",
                      "a tree in shared memory adds up the threads' counts",
                      "no atomics and nothing to clear, at the price of reading $x once per bin"};
  return result;
}

GymDraft draw_histogram(base::RandomStream& stream) {
  const int64_t n = whole_between(stream, 2000, 20000);
  const int64_t bins = whole_between(stream, 8, 100);
  GymDraft draft;
  draft.titles = {"how often each number from 0 to $bins - 1 occurs in $x", "the histogram of whole numbers",
                  "the counts of $bins bins", "a histogram of $x"};
  draft.formula = "$counts[b] = number of i with $x[i] == b";
  draft.notes = {"all elements of $x are from 0 to $bins - 1"};
  draft.sizes = {{"n", n}, {"bins", bins}};
  draft.inputs = {
      {"x", tasks::NumberType::kInt32, {n}, {"n"}, whole_numbers(0, static_cast<double>(bins)), {}}};
  draft.outputs = {{"counts", tasks::NumberType::kInt32, {bins}, {"bins"}, {}, {}}};
  draft.oracle = {"histogram", {{"bins", bins}}, ""};
  draft.solutions = {global_atomics(stream), shared_counts(stream), warp_counts(stream), bin_owners(stream)};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_histogram;
const GymFamily kFamily_histogram = {"histogram", "indexing", draw_histogram};

}  // namespace cuset::gym
