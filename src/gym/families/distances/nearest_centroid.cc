// For each point the number of the center that is nearest; the first one where several are.
#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

// Whole-number coordinates: distances are exact in float, so that ties are ties.
const std::string kSquare = "float $d = $x[$i * $dim + $k] - CENTRE[$j * $dim + $k];\n$dist += $d * $d;\n";

std::string search(const std::string& center) {
  std::string square = kSquare;
  square.replace(square.find("CENTRE"), 6, center);
  return "int $best = 0;\n"
         "float $least = FLT_MAX;\n"
         "for (int $j = 0; $j < $centers; ++$j) {\n"
         "  float $dist = 0.0f;\n"
         "  for (int $k = 0; $k < $dim; ++$k) {\n" +
         indented(square, 2) +
         "  }\n"
         "  if ($dist < $least) {\n"
         "    $least = $dist;\n"
         "    $best = $j;\n"
         "  }\n"
         "}\n"
         "$y[$i] = $best;\n";
}

GymSolution searching(const std::string& style, base::RandomStream& stream) {
  GymSolution solution;
  solution.style = style;
  solution.headers = {"cfloat"};
  solution.constants = {{"block", power_between(stream, 64, 256)}};
  solution.kernels = {{.arrays = {"x", "c", "y"},
                       .sizes = {"n", "centers", "dim"},
                       .grid = "($n + $block - 1) / $block",
                       .block = "$block"}};
  return solution;
}

GymSolution plain(base::RandomStream& stream) {
  GymSolution result = searching("one_thread_each", stream);
  result.kernels[0].body =
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i >= $n) return;\n" + search("$c");
  result.reasoning = {"one thread serves one point and tries all centers",
                      "the least distance and its center stay in registers",
                      "all threads read the same center at once, which the cache broadcasts"};
  return result;
}

GymSolution striding(base::RandomStream& stream) {
  GymSolution result = searching("grid_stride", stream);
  result.kernels[0].body =
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += gridDim.x * blockDim.x) {\n" +
      indented(search("$c")) + "}\n";
  result.kernels[0].grid = std::to_string(whole_between(stream, 4, 24));
  result.reasoning = {"a fixed grid strides over the points",
                      "each thread keeps the least distance and its center in registers",
                      "points of a warp lie side by side"};
  return result;
}

GymSolution shared_centres(base::RandomStream& stream) {
  GymSolution result = searching("shared_centres", stream);
  result.kernels[0].body =
      "extern __shared__ float $near[];\n"
      "for (int $t = threadIdx.x; $t < $centers * $dim; $t += blockDim.x) $near[$t] = $c[$t];\n"
      "__syncthreads();\n"
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i >= $n) return;\n" +
      search("$near");
  result.kernels[0].shared_bytes = "$centers * $dim * sizeof(float)";
  result.reasoning = {"one thread serves one point",
                      "each thread tries all centers and keeps the best in registers",
                      "the centers are copied into shared memory once per block"};
  return result;
}

GymSolution warps(base::RandomStream& stream) {
  GymSolution result = searching("warp_per_point", stream);
  std::string square = kSquare;
  square.replace(square.find("CENTRE"), 6, "$c");
  result.kernels[0].body =
      "int $i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
      "int $lane = threadIdx.x % 32;\n"
      "if ($i >= $n) return;\n"
      "int $best = $centers;\n"
      "float $least = FLT_MAX;\n"
      "for (int $j = $lane; $j < $centers; $j += 32) {\n"
      "  float $dist = 0.0f;\n"
      "  for (int $k = 0; $k < $dim; ++$k) {\n" +
      indented(square, 2) +
      "  }\n"
      "  if ($dist < $least) $least = $dist, $best = $j;\n"
      "}\n"
      "for (int $offset = 16; $offset > 0; $offset /= 2) {\n"
      "  float $d2 = __shfl_down_sync(0xffffffff, $least, $offset);\n"
      "  int $b2 = __shfl_down_sync(0xffffffff, $best, $offset);\n"
      "  if ($d2 < $least || ($d2 == $least && $b2 < $best)) $least = $d2, $best = $b2;\n"
      "}\n"
      "if ($lane == 0) $y[$i] = $best;\n";
  result.kernels[0].grid = "($n * 32 + $block - 1) / $block";
  result.reasoning = {"one warp serves one point, each lane every 32nd center",
                      "shuffles combine the lanes; of equal distances the lower number wins",
                      "the lanes read different centers, dim floats apart"};
  return result;
}

GymDraft draw_nearest_centroid(base::RandomStream& stream) {
  const int64_t n = whole_between(stream, 500, 4000);
  const int64_t centers = whole_between(stream, 6, 60);
  const int64_t dim = whole_between(stream, 2, 6);
  GymDraft draft;
  draft.titles = {"the nearest center of each point",
                  "for every row of $x the number of the closest row of $c", "the assignment step of k-means",
                  "the index of the nearest centroid for all points"};
  draft.formula = "$y[i] = argmin over j of sum over k of ($x[i][k] - $c[j][k])^2";
  draft.notes = {"the lowest index wins where distances are equal", "coordinates are whole numbers"};
  draft.sizes = {{"n", n}, {"centers", centers}, {"dim", dim}};
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {n, dim}, {"n", "dim"}, whole_numbers(-100, 100), {}},
      {"c", tasks::NumberType::kFloat32, {centers, dim}, {"centers", "dim"}, whole_numbers(-100, 100), {}}};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {n}, {"n"}, {}, {}}};
  std::string sum;
  for (int64_t k = 0; k < dim; ++k)
    sum +=
        fmt::format("{0}($x[i0, {1}] - $c[k0, {1}]) * ($x[i0, {1}] - $c[k0, {1}])", k == 0 ? "" : " + ", k);
  draft.oracle = {"loops", {{"expression", sum}, {"over", {centers}}, {"op", "argmin"}}, ""};
  draft.solutions = {plain(stream), striding(stream), shared_centres(stream), warps(stream)};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_nearest_centroid;
const GymFamily kFamily_nearest_centroid = {"nearest_centroid", "distances", draw_nearest_centroid};

}  // namespace cuset::gym
