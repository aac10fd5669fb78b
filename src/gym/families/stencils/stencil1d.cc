// A weighted sum of neighbors along a line, of radius one or two; zeros beyond the ends.
#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/stencil.h"

namespace cuset::gym {
namespace {

// The sum of all weights times what `read` gives for a distance.
template <typename Read>
std::string weighted(int radius, const Read& read) {
  std::string sum;
  for (int d = -radius; d <= radius; ++d) sum += fmt::format("{}{}", d == -radius ? "" : " + ", read(d));
  return sum;
}

std::string weight(int d) { return fmt::format("w{}", d < 0 ? -d : d); }

GymSolution line_solution(const std::string& style, const GymDraft& draft, base::RandomStream& stream) {
  GymSolution solution;
  solution.style = style;
  solution.constants = {{"block", power_between(stream, 64, 256)}};
  solution.kernels = {
      {.arrays = {"x", "y"}, .sizes = {"n"}, .grid = "($n + $block - 1) / $block", .block = "$block"}};
  for (const GymScalar& scalar : draft.scalars) solution.kernels[0].scalars.push_back(scalar.key);
  return solution;
}

GymSolution each_point(const GymDraft& draft, int radius, bool strides, base::RandomStream& stream) {
  GymSolution result = line_solution(strides ? "grid_stride" : "one_thread_each", draft, stream);
  const std::string lines =
      "float $sum = $w0 * $x[$i];\n"
      "if ($i >= 1) $sum += $w1 * $x[$i - 1];\n"
      "if ($i + 1 < $n) $sum += $w1 * $x[$i + 1];\n" +
      std::string(radius == 2
                      ? "if ($i >= 2) $sum += $w2 * $x[$i - 2];\nif ($i + 2 < $n) $sum += $w2 * $x[$i + 2];\n"
                      : "") +
      "$y[$i] = $sum;\n";
  if (strides) {
    result.kernels[0].body =
        "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += gridDim.x * blockDim.x) {\n" +
        indented(lines) + "}\n";
    result.kernels[0].grid = std::to_string(whole_between(stream, 4, 32));
    result.reasoning.mapping = "a fixed grid strides over the points";
  } else {
    result.kernels[0].body =
        "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i >= $n) return;\n" + lines;
    result.reasoning.mapping = "one thread computes one point of $y";
  }
  result.reasoning.memory =
      "neighboring threads read overlapping runs of $x, which the cache serves; the ends are guarded";
  return result;
}

GymSolution shared_line(const GymDraft& draft, int radius, base::RandomStream& stream) {
  GymSolution result = line_solution("shared_tile", draft, stream);
  const std::string sum =
      weighted(radius, [](int d) { return fmt::format("${} * $line[{}]", weight(d), moved("$k", d)); });
  result.kernels[0].body = fmt::format(
      "__shared__ float $line[$block + {1}];\n"
      "int $i = blockIdx.x * $block + threadIdx.x;\n"
      "int $k = threadIdx.x + {0};\n"
      "$line[$k] = $i < $n ? $x[$i] : 0.0f;\n"
      "if (threadIdx.x < {0}) {{\n"
      "  $line[threadIdx.x] = $i >= {0} ? $x[$i - {0}] : 0.0f;\n"
      "  $line[$k + $block] = $i + $block < $n ? $x[$i + $block] : 0.0f;\n"
      "}}\n"
      "__syncthreads();\n"
      "if ($i < $n) $y[$i] = {2};\n",
      radius, 2 * radius, sum);
  result.reasoning = {
      "one thread computes one point of $y; a block covers $block points", "",
      "the block copies its points and a rim on both sides into shared memory, then waits at a barrier, so that each "
      "point is read from global memory about once"};
  return result;
}

GymDraft draw_stencil1d(base::RandomStream& stream) {
  const int radius = one_in(stream, 2) ? 1 : 2;
  const int64_t n = whole_between(stream, 2000, 30000);
  GymDraft draft;
  draft.titles = {"a weighted sum of each element of $x and its neighbors",
                  fmt::format("a {}-point stencil along a line", 2 * radius + 1),
                  "the one-dimensional smoothing of $x", "a symmetric filter of $x with fixed weights"};
  draft.sizes = {{"n", n}};
  for (int d = 0; d <= radius; ++d) {
    draft.scalars.push_back({weight(d), draw_constant(stream, 0.1, 1)});
    draft.notes.push_back(fmt::format("$w{0} is {{w{0}}}", d));
  }
  draft.notes.push_back("elements beyond the ends count as 0");
  draft.formula = "$y[i] = " + weighted(radius, [](int d) {
                    return fmt::format("${} * $x[{}]", weight(d), moved("i", d));
                  });
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {5e-6, 5e-5}}};
  const std::string formula =
      weighted(radius, [](int d) { return fmt::format("{{{}}} * $x[{}]", weight(d), moved("i0", d)); });
  draft.oracle = {"loops", {{"expression", formula}}, ""};
  draft.solutions = {each_point(draft, radius, false, stream), shared_line(draft, radius, stream),
                     each_point(draft, radius, true, stream)};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_stencil1d;
const GymFamily kFamily_stencil1d = {"stencil1d", "stencils", draw_stencil1d};

}  // namespace cuset::gym
