#include "gym/solutions/row_sort.h"

#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

class SortKernels {
 public:
  SortKernels(const RowSort& work, base::RandomStream& stream)
      : work_(work), stream_(stream), number_(cuda_number(work.type)), after_(work.descending ? "<" : ">") {}

  GymSolution bitonic() const;
  GymSolution rank() const;
  GymSolution odd_even() const;
  GymSolution insertion() const;

 private:
  GymSolution solution(std::string style, int64_t block) const;
  std::string kept() const { return "$" + work_.kept; }
  bool keeps_all() const { return work_.kept == "columns"; }

  const RowSort& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
  std::string after_;  // the comparison of an element that belongs after another
};

GymSolution SortKernels::solution(std::string style, int64_t block) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.constants = {{"block", block}};
  std::vector<std::string> sizes = {"rows", "columns"};
  if (!keeps_all()) sizes.push_back(work_.kept);
  solution.kernels = {{.arrays = {"x", "y"}, .sizes = sizes, .grid = "$rows", .block = "$block"}};
  return solution;
}

GymSolution SortKernels::bitonic() const {
  int64_t padded = 32;
  while (padded < work_.columns) padded *= 2;
  GymSolution result = solution("bitonic", padded);
  result.headers = {number_.header};
  result.kernels[0].body = fmt::format(
      "__shared__ {0} $shared[$block];\n"
      "int $row = blockIdx.x;\n"
      "int $tid = threadIdx.x;\n"
      "$shared[$tid] = $tid < $columns ? $x[$row * $columns + $tid] : {1};\n"
      "__syncthreads();\n"
      "for (int $k = 2; $k <= $block; $k *= 2) {{\n"
      "  for (int $stride = $k / 2; $stride > 0; $stride /= 2) {{\n"
      "    int $other = $tid ^ $stride;\n"
      "    if ($other > $tid && ($shared[$tid] {2} $shared[$other]) == (($tid & $k) == 0)) {{\n"
      "      {0} $value = $shared[$tid];\n"
      "      $shared[$tid] = $shared[$other];\n"
      "      $shared[$other] = $value;\n"
      "    }}\n"
      "    __syncthreads();\n"
      "  }}\n"
      "}}\n"
      "if ($tid < {3}) $y[$row * {3} + $tid] = $shared[$tid];\n",
      number_.name, work_.descending ? number_.lowest : number_.highest, after_, kept());
  result.reasoning = {
      "one block sorts one row, a thread holds one element",
      "a bitonic network: runs of doubling length are merged, with a barrier after each exchange",
      "the row lies in shared memory, padded to a power of two with what belongs last"};
  return result;
}

GymSolution SortKernels::rank() const {
  GymSolution result = solution("rank", power_between(stream_, 32, 128));
  const std::string store = keeps_all()
                                ? "$y[$row * $columns + $k] = $value;\n"
                                : fmt::format("if ($k < {0}) $y[$row * {0} + $k] = $value;\n", kept());
  result.kernels[0].body = fmt::format(
      "int $row = blockIdx.x;\n"
      "for (int $i = threadIdx.x; $i < $columns; $i += blockDim.x) {{\n"
      "  {0} $value = $x[$row * $columns + $i];\n"
      "  int $k = 0;\n"
      "  for (int $j = 0; $j < $columns; ++$j) {{\n"
      "    {0} $other = $x[$row * $columns + $j];\n"
      "    if ($value {1} $other || ($value == $other && $j < $i)) ++$k;\n"
      "  }}\n"
      "{2}"
      "}}\n",
      number_.name, after_, indented(store));
  result.reasoning = {
      "one block sorts one row, each thread finds the final place of its elements",
      "an element's place is the number of elements that belong before it; equal ones keep their order",
      "no exchange between threads is needed, the row is read again and again from the cache"};
  return result;
}

GymSolution SortKernels::odd_even() const {
  int64_t block = 32;
  while (block < (work_.columns + 1) / 2) block += 32;
  GymSolution result = solution("odd_even", block);
  result.constants.push_back({"length", work_.columns});
  result.kernels[0].body = fmt::format(
      "__shared__ {0} $shared[$length];\n"
      "int $row = blockIdx.x;\n"
      "for (int $i = threadIdx.x; $i < $columns; $i += $block) $shared[$i] = $x[$row * $columns + $i];\n"
      "__syncthreads();\n"
      "for (int $k = 0; $k < $columns; ++$k) {{\n"
      "  int $i = 2 * threadIdx.x + $k % 2;\n"
      "  if ($i + 1 < $columns && $shared[$i] {1} $shared[$i + 1]) {{\n"
      "    {0} $value = $shared[$i];\n"
      "    $shared[$i] = $shared[$i + 1];\n"
      "    $shared[$i + 1] = $value;\n"
      "  }}\n"
      "  __syncthreads();\n"
      "}}\n"
      "for (int $i = threadIdx.x; $i < {2}; $i += $block) $y[$row * {2} + $i] = $shared[$i];\n",
      number_.name, after_, kept());
  result.reasoning = {
      "one block sorts one row, a thread looks after a pair of neighbors",
      "odd-even transposition: as many rounds as elements, even and odd pairs in turn, a barrier after each round",
      "the row lies in shared memory"};
  return result;
}

GymSolution SortKernels::insertion() const {
  GymSolution result = solution("insertion", power_between(stream_, 32, 64));
  // With fewer places than elements, what falls off the end is forgotten.
  const std::string shift = "$y[$first + $k] = $y[$first + $k - 1];";
  const std::string place = "$y[$first + $k] = $value;";
  const std::string guard = keeps_all() ? "" : fmt::format("if ($k < {}) ", kept());
  result.kernels[0].body = fmt::format(
      "int $row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "if ($row >= $rows) return;\n"
      "int $first = $row * {2};\n"
      "for (int $i = 0; $i < $columns; ++$i) {{\n"
      "  {0} $value = $x[$row * $columns + $i];\n"
      "  int $k = {3};\n"
      "  while ($k > 0 && $y[$first + $k - 1] {1} $value) {{\n"
      "    {4}{5}\n"
      "    --$k;\n"
      "  }}\n"
      "  {4}{6}\n"
      "}}\n",
      number_.name, after_, kept(), keeps_all() ? "$i" : fmt::format("min($i, {})", kept()), guard, shift,
      place);
  result.kernels[0].grid = "($rows + $block - 1) / $block";
  result.reasoning = {"one thread sorts one row",
                      "each element is moved forward past those that belong after it",
                      "the sorted part of the row grows in $y itself"};
  return result;
}

}  // namespace

std::vector<GymSolution> row_sort_solutions(const RowSort& work, base::RandomStream& stream) {
  const SortKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.bitonic(), kernels.rank(), kernels.odd_even(),
                                        kernels.insertion()};
  keep_used_parameters(solutions);
  return solutions;
}

}  // namespace cuset::gym
