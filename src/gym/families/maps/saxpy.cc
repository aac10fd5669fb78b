// y = alpha x + z: the plainest of maps, in three ways of handing elements to threads.
#include "gym/family.h"

namespace cuset {
namespace {

GymDraft draw_saxpy(RandomStream& stream) {
  const int64_t n =
      256 * (4 + static_cast<int64_t>(stream.below(60))) + static_cast<int64_t>(stream.below(256));
  const int64_t block = int64_t{64} << stream.below(4);
  GymDraft draft;
  draft.titles = {"a scaled vector addition", "$alpha times $x plus $z", "the saxpy operation"};
  draft.formula = "$y[i] = $alpha * $x[i] + $z[i]";
  draft.notes = {"$alpha is {alpha}"};
  draft.sizes = {{"n", n}};
  draft.scalars = {{"alpha", 0.25 * static_cast<double>(1 + stream.below(16))}};
  draft.inputs = {{"x", NumberType::kFloat32, {n}, {"n"}, {}, {}},
                  {"z", NumberType::kFloat32, {n}, {"n"}, {}, {}}};
  draft.outputs = {{"y", NumberType::kFloat32, {n}, {"n"}, {}, {1e-5, 1e-5}}};
  draft.oracle = {"map", {{"expression", "{alpha} * $x + $z"}}, ""};

  const std::string element = "$y[$i] = $alpha * $x[$i] + $z[$i];\n";
  GymSolution each;
  each.style = "one_thread_each";
  each.constants = {{"block", block}};
  each.kernels = {
      {.arrays = {"x", "z", "y"},
       .sizes = {"n"},
       .scalars = {"alpha"},
       .body = "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n) {\n  " + element + "}\n",
       .grid = "($n + $block - 1) / $block",
       .block = "$block"}};
  each.reasoning = {"one thread computes one element of $y", "",
                    "neighbouring threads touch neighbouring elements"};
  GymSolution stride = each;
  stride.style = "grid_stride";
  stride.kernels[0].body =
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += blockDim.x * gridDim.x) {\n  " +
      element + "}\n";
  stride.kernels[0].grid = "32";
  stride.reasoning.mapping =
      "a fixed grid walks over $y, each thread taking every gridDim.x * blockDim.x-th element";
  GymSolution four = each;
  four.style = "four_per_thread";
  four.kernels[0].body =
      "int $base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;\n"
      "for (int $i = $base; $i < $base + 4 && $i < $n; ++$i) {\n  " +
      element + "}\n";
  four.kernels[0].grid = "($n + 4 * $block - 1) / (4 * $block)";
  four.reasoning.mapping = "each thread computes four neighbouring elements of $y";
  draft.solutions = {each, stride, four};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_saxpy;
const GymFamily kFamily_saxpy = {"saxpy", "maps", draw_saxpy};

}  // namespace cuset
