#include "gym/solutions/arg_fold.h"

#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

class ArgKernels {
 public:
  ArgKernels(const ArgFold& work, base::RandomStream& stream)
      : work_(work), stream_(stream), number_(cuda_number(work.type)), better_(work.largest ? ">" : "<") {}

  GymSolution thread_per_lane() const;
  GymSolution block_per_lane() const;
  GymSolution warp_per_lane() const;
  GymSolution one_block() const;
  GymSolution two_passes() const;
  GymSolution thread_partials() const;

 private:
  GymSolution solution(std::string style) const;
  std::string element(const std::string& place) const {
    return fmt::format("$x[{}{}{}]", work_.first, place, work_.step);
  }
  // Keeps the best of every step-th element in $value and its place in $best.
  std::string search(const std::string& first, const std::string& step) const;
  // value at place beats the best so far
  std::string beats(const std::string& value, const std::string& place, const std::string& best_value,
                    const std::string& best_place) const;
  std::string tree() const;
  std::string shared_arrays() const;
  std::string last_search() const;

  const ArgFold& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
  std::string better_;
};

GymSolution ArgKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.constants = {{"block", power_between(stream_, 64, 256)}};
  solution.headers = {number_.header};
  solution.kernels = {{.arrays = {"x", "y"}, .sizes = work_.sizes, .block = "$block"}};
  return solution;
}

std::string ArgKernels::search(const std::string& first, const std::string& step) const {
  return fmt::format(
      "{0} $value = {1};\n"
      "int $best = 0;\n"
      "for (int $j = {2}; $j < {3}; $j += {4}) {{\n"
      "  {0} $v = {5};\n"
      "  if ($v {6} $value) {{\n"
      "    $value = $v;\n"
      "    $best = $j;\n"
      "  }}\n"
      "}}\n",
      number_.name, work_.largest ? number_.lowest : number_.highest, first, work_.length, step,
      element("$j"), better_);
}

std::string ArgKernels::beats(const std::string& value, const std::string& place,
                              const std::string& best_value, const std::string& best_place) const {
  return fmt::format("{0} {4} {2} || ({0} == {2} && {1} < {3})", value, place, best_value, best_place,
                     better_);
}

std::string ArgKernels::shared_arrays() const {
  return fmt::format(
      "__shared__ {} $shared[$block];\n__shared__ int $places[$block];\nint $tid = threadIdx.x;\n",
      number_.name);
}

// $places[0] becomes the place of the block's best.
std::string ArgKernels::tree() const {
  return fmt::format(
      "$shared[$tid] = $value;\n"
      "$places[$tid] = $best;\n"
      "__syncthreads();\n"
      "for (int $stride = $block / 2; $stride > 0; $stride /= 2) {{\n"
      "  int $k = $tid + $stride;\n"
      "  if ($tid < $stride && ({})) {{\n"
      "    $shared[$tid] = $shared[$k];\n"
      "    $places[$tid] = $places[$k];\n"
      "  }}\n"
      "  __syncthreads();\n"
      "}}\n",
      beats("$shared[$k]", "$places[$k]", "$shared[$tid]", "$places[$tid]"));
}

GymSolution ArgKernels::thread_per_lane() const {
  GymSolution result = solution("thread_per_" + work_.noun);
  result.headers.clear();
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
      "int ${0} = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "if (${0} >= {1}) return;\n"
      "int $best = 0;\n"
      "for (int $j = 1; $j < {2}; ++$j) {{\n"
      "  if ({3} {5} {4}) {{\n"
      "    $best = $j;\n"
      "  }}\n"
      "}}\n"
      "$y[${0}] = $best;\n",
      work_.lane, work_.lanes, work_.length, element("$j"), element("$best"), better_);
  kernel.grid = fmt::format("({} + $block - 1) / $block", work_.lanes);
  result.reasoning = {
      fmt::format("one thread searches one {}", work_.noun),
      "each thread remembers the place of the best element so far; a strict comparison keeps the first",
      "only a place is kept, the best element is read again from the cache"};
  return result;
}

GymSolution ArgKernels::block_per_lane() const {
  GymSolution result = solution("block_per_" + work_.noun);
  GymKernel& kernel = result.kernels[0];
  kernel.body = shared_arrays() + fmt::format("int ${} = blockIdx.x;\n", work_.lane) +
                search("$tid", "$block") + tree() +
                fmt::format("if ($tid == 0) $y[${}] = $places[0];\n", work_.lane);
  kernel.grid = work_.lanes;
  result.reasoning = {
      fmt::format("one block searches one {}", work_.noun),
      "pairs of value and place are reduced by a tree in shared memory; of equal values the smaller place wins",
      "values and places lie in two shared arrays"};
  return result;
}

GymSolution ArgKernels::warp_per_lane() const {
  GymSolution result = solution("warp_per_" + work_.noun);
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
                    "int ${0} = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
                    "int $lane = threadIdx.x % 32;\n"
                    "if (${0} >= {1}) return;\n",
                    work_.lane, work_.lanes) +
                search("$lane", "32") +
                fmt::format(
                    "for (int $offset = 16; $offset > 0; $offset /= 2) {{\n"
                    "  {0} $v = __shfl_down_sync(0xffffffff, $value, $offset);\n"
                    "  int $k = __shfl_down_sync(0xffffffff, $best, $offset);\n"
                    "  if ({1}) {{\n"
                    "    $value = $v;\n"
                    "    $best = $k;\n"
                    "  }}\n"
                    "}}\n"
                    "if ($lane == 0) $y[${2}] = $best;\n",
                    number_.name, beats("$v", "$k", "$value", "$best"), work_.lane);
  kernel.grid = fmt::format("({} * 32 + $block - 1) / $block", work_.lanes);
  result.reasoning = {
      fmt::format("one warp searches one {}", work_.noun),
      "value and place travel together through shuffles; of equal values the smaller place wins",
      "no shared memory is needed"};
  return result;
}

GymSolution ArgKernels::one_block() const {
  GymSolution result = solution("one_block");
  result.kernels[0].body =
      shared_arrays() + search("$tid", "$block") + tree() + "if ($tid == 0) $y[0] = $places[0];\n";
  result.kernels[0].grid = "1";
  result.reasoning = {
      "a single block walks over the whole array",
      "pairs of value and place are reduced by a tree in shared memory; of equal values the smaller place wins",
      "neighboring threads read neighboring elements"};
  return result;
}

// One thread over the $parts places of $partial.
std::string ArgKernels::last_search() const {
  return fmt::format(
      "int $best = $partial[0];\n"
      "for (int $k = 1; $k < $parts; ++$k) {{\n"
      "  int $j = $partial[$k];\n"
      "  if ({}) $best = $j;\n"
      "}}\n"
      "$y[0] = $best;\n",
      beats("$x[$j]", "$j", "$x[$best]", "$best"));
}

GymSolution ArgKernels::two_passes() const {
  GymSolution result = solution("two_pass");
  result.constants.push_back({"parts", whole_between(stream_, 8, 64)});
  result.scratch = {{"partial", tasks::NumberType::kInt32, "$parts"}};
  GymKernel& first = result.kernels[0];
  first.arrays = {"x", "partial"};
  first.body = shared_arrays() + search("blockIdx.x * $block + $tid", "$parts * $block") + tree() +
               "if ($tid == 0) $partial[blockIdx.x] = $places[0];\n";
  first.grid = "$parts";
  result.kernels.push_back(
      {.key = "combine", .arrays = {"x", "partial", "y"}, .body = last_search(), .grid = "1", .block = "1"});
  result.reasoning = {
      "$parts blocks leave the place of their best element each; a second kernel picks among them",
      "a tree in shared memory reduces pairs of value and place, then one thread compares the few that are left",
      "only places pass through global memory, the elements are read again"};
  return result;
}

GymSolution ArgKernels::thread_partials() const {
  GymSolution result = solution("thread_partials");
  result.constants[0].value = 64;
  result.constants.push_back({"parts", 64 * whole_between(stream_, 2, 6)});
  result.scratch = {{"partial", tasks::NumberType::kInt32, "$parts"}};
  GymKernel& first = result.kernels[0];
  first.arrays = {"x", "partial"};
  first.body = "int $gid = blockIdx.x * blockDim.x + threadIdx.x;\n" + search("$gid", "$parts") +
               "$partial[$gid] = $best;\n";
  first.grid = "$parts / $block";
  result.kernels.push_back(
      {.key = "combine", .arrays = {"x", "partial", "y"}, .body = last_search(), .grid = "1", .block = "1"});
  result.reasoning = {
      "$parts threads stride over the array and each leaves the place of its best element",
      "the first kernel exchanges nothing; one thread of the second compares the $parts candidates",
      "neighboring threads read neighboring elements"};
  return result;
}

}  // namespace

std::vector<GymSolution> arg_lane_solutions(const ArgFold& work, base::RandomStream& stream) {
  const ArgKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.thread_per_lane(), kernels.block_per_lane(),
                                        kernels.warp_per_lane()};
  keep_used_parameters(solutions);
  return solutions;
}

std::vector<GymSolution> arg_full_solutions(tasks::NumberType type, bool largest,
                                            base::RandomStream& stream) {
  ArgFold work;
  work.type = type;
  work.largest = largest;
  work.sizes = {"n"};
  work.length = "$n";
  work.first = "";
  const ArgKernels kernels(work, stream);
  return {kernels.one_block(), kernels.two_passes(), kernels.thread_partials()};
}

}  // namespace cuset::gym
