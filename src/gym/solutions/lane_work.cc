#include "gym/solutions/lane_work.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

// The pieces of which the styles are made.
class LaneKernels {
 public:
  LaneKernels(const LaneWork& work, base::RandomStream& stream)
      : work_(work), stream_(stream), number_(cuda_number(work.type)) {}

  GymSolution thread_per_lane() const;
  GymSolution block_per_lane() const;
  GymSolution warp_per_lane() const;
  GymSolution online() const;
  GymSolution block_of_warps() const;
  GymSolution tile_of_lanes() const;

 private:
  GymSolution solution(std::string style) const;
  // for (int $j = first; $j < length; $j += step) { line }
  std::string loop(const std::string& first, const std::string& step, const std::string& line) const;
  // The same over all that is written.
  std::string each_place(const std::string& first, const std::string& step) const;
  std::string declared(const LaneFold& fold) const;
  std::string folded(const LaneFold& fold, const std::string& first, const std::string& step) const;
  std::string tree_function(const LaneFold& fold) const;
  std::string guard(const std::string& condition, const std::string& lines) const;
  std::string written_once(const std::string& condition) const;
  std::string far_or_near(bool threads_on_places) const;

  const LaneWork& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
};

GymSolution LaneKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.headers = work_.headers;
  const bool bounded = std::any_of(work_.folds.begin(), work_.folds.end(), [](const LaneFold& fold) {
    return fold.fold == Fold::kMax || fold.fold == Fold::kMin;
  });
  if (bounded) solution.headers.push_back(number_.header);
  solution.kernels = {{.arrays = work_.arrays, .sizes = work_.sizes, .scalars = work_.scalars}};
  return solution;
}

std::string loop_text(const std::string& place, const std::string& first, const std::string& length,
                      const std::string& step) {
  const std::string advance = step == "1" ? "++" + place : place + " += " + step;
  return fmt::format("for (int {0} = {1}; {0} < {2}; {3}) {{\n", place, first, length, advance);
}

std::string LaneKernels::loop(const std::string& first, const std::string& step,
                              const std::string& line) const {
  return loop_text("$" + work_.place, first, work_.length, step) + indented(line) + "}\n";
}

std::string LaneKernels::each_place(const std::string& first, const std::string& step) const {
  if (work_.each.empty()) return "";
  const std::string& length = work_.each_length.empty() ? work_.length : work_.each_length;
  return loop_text("$" + work_.place, first, length, step) + indented(work_.each) + "}\n";
}

std::string LaneKernels::declared(const LaneFold& fold) const {
  return fmt::format("{} ${} = {};\n", number_.name, fold.key, fold_start(fold.fold, number_));
}

std::string LaneKernels::folded(const LaneFold& fold, const std::string& first,
                                const std::string& step) const {
  return declared(fold) + loop(first, step, fold_line(fold.fold, number_, "$" + fold.key, fold.term));
}

std::string function_of(Fold fold) {
  if (fold == Fold::kMax) return "$block_max";
  return fold == Fold::kMin ? "$block_min" : "$block_sum";
}

std::string LaneKernels::tree_function(const LaneFold& fold) const {
  return fmt::format(
      "__device__ {0} {1}({0} $value, {0}* $shared) {{\n"
      "  int $tid = threadIdx.x;\n"
      "{2}"
      "  {0} $all = $shared[0];\n"
      "  __syncthreads();\n"
      "  return $all;\n"
      "}}\n",
      number_.name, function_of(fold.fold), indented(fold_tree(fold.fold, number_, "$value")));
}

// Leaves early or puts the lines into braces.
std::string LaneKernels::guard(const std::string& condition, const std::string& lines) const {
  return fmt::format("if ({}) {{\n{}}}\n", condition, indented(lines));
}

std::string LaneKernels::written_once(const std::string& condition) const {
  return work_.once.empty() ? "" : guard(condition, work_.once);
}

std::string LaneKernels::far_or_near(bool threads_on_places) const {
  return threads_on_places == work_.contiguous
             ? "neighboring threads read neighboring elements, so the loads coalesce"
             : fmt::format(
                   "neighboring threads read elements that lie a stride apart, which costs bandwidth but needs no exchange");
}

GymSolution LaneKernels::thread_per_lane() const {
  GymSolution result = solution("thread_per_" + work_.noun);
  result.constants = {{"block", power_between(stream_, 32, 256)}};
  std::string lines = work_.setup;
  for (const LaneFold& fold : work_.folds) lines += folded(fold, "0", "1") + fold.then;
  lines += work_.once;
  lines += each_place("0", "1");
  const std::string lane = "$" + work_.lane;
  std::string body = fmt::format("int {} = blockIdx.x * blockDim.x + threadIdx.x;\n", lane);
  if (one_in(stream_, 2)) {
    body += fmt::format("if ({} >= {}) return;\n{}", lane, work_.lanes, lines);
  } else {
    body += guard(lane + " < " + work_.lanes, lines);
  }
  result.kernels[0].body = body;
  result.kernels[0].grid = fmt::format("({} + $block - 1) / $block", work_.lanes);
  result.kernels[0].block = "$block";
  result.reasoning = {
      fmt::format("one thread serves one {}", work_.noun),
      fmt::format("each thread {} its {} in a register", fold_verb(work_.folds[0].fold), work_.noun),
      far_or_near(false)};
  return result;
}

GymSolution LaneKernels::block_per_lane() const {
  GymSolution result = solution("block_per_" + work_.noun);
  result.constants = {{"block", power_between(stream_, 64, 256)}};
  std::string body =
      fmt::format("__shared__ {} $shared[$block];\nint ${} = blockIdx.x;\nint $tid = threadIdx.x;\n",
                  number_.name, work_.lane) +
      work_.setup;
  const bool at_the_end = work_.folds.size() == 1 && work_.each.empty();
  for (const LaneFold& fold : work_.folds) {
    body += folded(fold, "$tid", "$block");
    if (at_the_end) {
      const std::string last = fmt::format("${} = $shared[0];\n{}{}", fold.key, fold.then, work_.once);
      body += fold_tree(fold.fold, number_, "$" + fold.key) + guard("$tid == 0", last);
    } else {
      body += fmt::format("${0} = {1}(${0}, $shared);\n", fold.key, function_of(fold.fold)) + fold.then;
      const std::string function = tree_function(fold);
      if (result.functions.find(function_of(fold.fold)) == std::string::npos) result.functions += function;
    }
  }
  if (!at_the_end) body += written_once("$tid == 0");
  body += each_place("$tid", "$block");
  result.kernels[0].body = body;
  result.kernels[0].grid = work_.lanes;
  result.kernels[0].block = "$block";
  result.reasoning = {
      fmt::format("one block serves one {}", work_.noun),
      fmt::format("the block {} its {}: first each thread in a register, then a tree in shared memory",
                  fold_verb(work_.folds[0].fold), work_.noun),
      far_or_near(true)};
  return result;
}

GymSolution LaneKernels::warp_per_lane() const {
  GymSolution result = solution("warp_per_" + work_.noun);
  result.constants = {{"block", power_between(stream_, 64, 256)}};
  const bool last_only = work_.folds.size() == 1 && work_.each.empty();
  std::string body = fmt::format(
      "int ${0} = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\nint $lane = threadIdx.x % 32;\n"
      "if (${0} >= {1}) return;\n",
      work_.lane, work_.lanes);
  body += work_.setup;
  for (const LaneFold& fold : work_.folds) {
    body += folded(fold, "$lane", "32");
    body +=
        fold_shuffles(fold.fold, number_, "$" + fold.key, last_only ? "__shfl_down_sync" : "__shfl_xor_sync");
    if (!last_only) body += fold.then;
  }
  if (last_only) body += guard("$lane == 0", work_.folds[0].then + work_.once);
  if (!last_only) body += written_once("$lane == 0");
  body += each_place("$lane", "32");
  result.kernels[0].body = body;
  result.kernels[0].grid = fmt::format("({} * 32 + $block - 1) / $block", work_.lanes);
  result.kernels[0].block = "$block";
  result.reasoning = {
      fmt::format("one warp serves one {}", work_.noun),
      fmt::format("a warp {} its {}: first each lane in a register, then by shuffles without shared memory",
                  fold_verb(work_.folds[0].fold), work_.noun),
      far_or_near(true)};
  return result;
}

GymSolution LaneKernels::online() const {
  GymSolution result = solution("online_thread_per_" + work_.noun);
  result.constants = {{"block", power_between(stream_, 32, 128)}};
  const std::string sweep = fmt::format(
      "float $value = {};\n"
      "if ($value > $largest) {{\n"
      "  $sum *= expf($largest - $value);\n"
      "  $largest = $value;\n"
      "}}\n"
      "$sum += expf($value - $largest);\n",
      work_.folds[0].term);
  result.kernels[0].body =
      fmt::format("int ${0} = blockIdx.x * blockDim.x + threadIdx.x;\nif (${0} >= {1}) return;\n", work_.lane,
                  work_.lanes) +
      work_.setup + declared(work_.folds[0]) + declared(work_.folds[1]) + loop("0", "1", sweep) +
      work_.folds[1].then + work_.once + each_place("0", "1");
  result.kernels[0].grid = fmt::format("({} + $block - 1) / $block", work_.lanes);
  result.kernels[0].block = "$block";
  result.reasoning = {
      fmt::format("one thread serves one {}", work_.noun),
      "largest and sum are found in one sweep: whenever a larger element comes, the sum so far is scaled down to it",
      far_or_near(false)};
  return result;
}

GymSolution LaneKernels::block_of_warps() const {
  GymSolution result = solution("block_of_warps");
  result.constants = {{"block", power_between(stream_, 64, 256)}};
  const LaneFold& fold = work_.folds[0];
  const std::string meet = fmt::format("for (int $k = 1; $k < $block / 32; ++$k) {{\n  {}\n}}\n",
                                       fold_line(fold.fold, number_, "$" + fold.key, "$shared[$k]"));
  result.kernels[0].body =
      fmt::format("__shared__ {} $shared[$block / 32];\nint ${} = blockIdx.x;\nint $tid = threadIdx.x;\n",
                  number_.name, work_.lane) +
      work_.setup + folded(fold, "$tid", "$block") +
      fold_shuffles(fold.fold, number_, "$" + fold.key, "__shfl_down_sync") +
      fmt::format("if ($tid % 32 == 0) $shared[$tid / 32] = ${};\n__syncthreads();\n", fold.key) +
      guard("$tid == 0", meet + fold.then + work_.once);
  result.kernels[0].grid = work_.lanes;
  result.kernels[0].block = "$block";
  result.reasoning = {
      fmt::format("one block serves one {}", work_.noun),
      fmt::format(
          "each warp {} its share by shuffles, then the first thread combines what the warps left in shared memory",
          fold_verb(fold.fold)),
      far_or_near(true)};
  return result;
}

GymSolution LaneKernels::tile_of_lanes() const {
  GymSolution result = solution("tile_of_" + work_.noun + "s");
  result.constants = {{"depth", power_between(stream_, 4, 16)}};
  const LaneFold& fold = work_.folds[0];
  const std::string lane = "$" + work_.lane;
  const std::string meet =
      fmt::format("for (int $k = 1; $k < $depth; ++$k) {{\n  {}\n}}\n",
                  fold_line(fold.fold, number_, "$" + fold.key, "$tile[$k][threadIdx.x]"));
  result.kernels[0].body =
      fmt::format("__shared__ {} $tile[$depth][32];\nint {} = blockIdx.x * 32 + threadIdx.x;\n", number_.name,
                  lane) +
      declared(fold) +
      guard(lane + " < " + work_.lanes,
            work_.setup +
                loop("threadIdx.y", "$depth", fold_line(fold.fold, number_, "$" + fold.key, fold.term))) +
      fmt::format("$tile[threadIdx.y][threadIdx.x] = ${};\n__syncthreads();\n", fold.key) +
      guard(fmt::format("threadIdx.y == 0 && {} < {}", lane, work_.lanes),
            meet + work_.setup + fold.then + work_.once);
  result.kernels[0].grid = fmt::format("({} + 31) / 32", work_.lanes);
  result.kernels[0].block = "dim3(32, $depth)";
  result.reasoning = {
      fmt::format("a block of 32 x $depth threads serves 32 {}s", work_.noun),
      fmt::format("$depth threads share one {}; what they have found meets in shared memory", work_.noun),
      "the 32 threads of a warp read neighboring elements, so the loads coalesce"};
  return result;
}

}  // namespace

LaneWork row_work(tasks::NumberType type, Fold fold, const std::string& key, const std::string& result) {
  LaneWork work;
  work.arrays = {"x", "y"};
  work.type = type;
  if (type == tasks::NumberType::kFloat16) work.headers = {"cuda_fp16.h"};
  work.folds = {{key, fold, loaded(type, "$x[$row * $columns + $j]")}};
  work.once = fmt::format("$y[$row] = {};\n", result);
  return work;
}

LaneWork column_work(tasks::NumberType type, Fold fold, const std::string& key, const std::string& result) {
  LaneWork work = row_work(type, fold, key, result);
  work.lane = "column";
  work.lanes = "$columns";
  work.noun = "column";
  work.place = "i";
  work.length = "$rows";
  work.contiguous = false;
  work.folds[0].term = loaded(type, "$x[$i * $columns + $column]");
  work.once = fmt::format("$y[$column] = {};\n", result);
  return work;
}

std::vector<GymSolution> lane_solutions(const LaneWork& work, base::RandomStream& stream) {
  const LaneKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.thread_per_lane(), kernels.block_per_lane(),
                                        kernels.warp_per_lane()};
  if (work.folds.size() == 1 && work.each.empty())
    solutions.push_back(work.contiguous ? kernels.block_of_warps() : kernels.tile_of_lanes());
  if (work.is_softmax) solutions.insert(solutions.begin(), kernels.online());
  keep_used_parameters(solutions);
  return solutions;
}

}  // namespace cuset::gym
