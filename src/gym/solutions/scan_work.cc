#include "gym/solutions/scan_work.h"

#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

class ScanKernels {
 public:
  ScanKernels(const ScanWork& work, base::RandomStream& stream)
      : work_(work),
        stream_(stream),
        number_(cuda_number(work.type)),
        start_(fold_start(work.fold, number_)) {}

  GymSolution thread_per_row() const;
  GymSolution block_per_row() const;
  GymSolution warp_per_row() const;

 private:
  GymSolution solution(std::string style) const;
  // The line that lets `value` take in what came `offset` places before it.
  std::string joined(const std::string& value, const std::string& before, const std::string& power) const;
  std::string power_line() const { return work_.decays ? "float $power = $decay;\n" : ""; }
  std::string squared() const { return work_.decays ? "  $power *= $power;\n" : ""; }
  // The element at $j, or what changes nothing beyond the end.
  std::string loaded_or_start() const {
    return fmt::format("$j < $columns ? {} : {}", work_.element, start_);
  }
  std::string stored(const std::string& value) const;

  const ScanWork& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
  std::string start_;
};

GymSolution ScanKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  if (work_.fold == Fold::kMax || work_.fold == Fold::kMin) solution.headers = {number_.header};
  solution.kernels = {
      {.arrays = {"x", "y"}, .sizes = {"rows", "columns"}, .scalars = work_.scalars, .block = "$block"}};
  return solution;
}

std::string ScanKernels::joined(const std::string& value, const std::string& before,
                                const std::string& power) const {
  if (work_.decays) return fmt::format("{} += {} * {};", value, power, before);
  return fold_line(work_.fold, number_, value, before);
}

// An exclusive scan is the inclusive one, one place further on.
std::string ScanKernels::stored(const std::string& value) const {
  if (!work_.exclusive) return fmt::format("if ($j < $columns) $y[$row * $columns + $j] = {};\n", value);
  return fmt::format("if ($j + 1 < $columns) $y[$row * $columns + $j + 1] = {};\n", value);
}

GymSolution ScanKernels::thread_per_row() const {
  GymSolution result = solution("thread_per_row");
  result.constants = {{"block", power_between(stream_, 32, 128)}};
  const std::string write = "$y[$row * $columns + $j] = $acc;\n";
  const std::string step = work_.decays ? fmt::format("$acc = $decay * $acc + {};", work_.element)
                                        : fold_line(work_.fold, number_, "$acc", work_.element);
  result.kernels[0].body = fmt::format(
      "int $row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "if ($row >= $rows) return;\n"
      "{} $acc = {};\n"
      "for (int $j = 0; $j < $columns; ++$j) {{\n"
      "{}"
      "}}\n",
      number_.name, start_, indented(work_.exclusive ? write + step : step + "\n" + write));
  result.kernels[0].grid = "($rows + $block - 1) / $block";
  result.reasoning = {"one thread walks along one row", "the running value stays in a register",
                      "each element is read and written once, a row apart from the neighboring threads"};
  return result;
}

GymSolution ScanKernels::block_per_row() const {
  GymSolution result = solution("block_per_row");
  int64_t block = 32;
  while (block < work_.columns) block *= 2;
  result.constants = {{"block", block}};
  const std::string before =
      fmt::format("{} $before = $j >= $offset ? $shared[$j - $offset] : {};", number_.name, start_);
  result.kernels[0].body = fmt::format(
      "__shared__ {0} $shared[$block];\n"
      "int $row = blockIdx.x;\n"
      "int $j = threadIdx.x;\n"
      "{1}"
      "$shared[$j] = {2};\n"
      "__syncthreads();\n"
      "for (int $offset = 1; $offset < $block; $offset *= 2) {{\n"
      "  {3}\n"
      "  __syncthreads();\n"
      "  {4}\n"
      "  __syncthreads();\n"
      "{5}"
      "}}\n"
      "{6}{7}",
      number_.name, power_line(), loaded_or_start(), before, joined("$shared[$j]", "$before", "$power"),
      squared(), work_.exclusive ? fmt::format("if ($j == 0) $y[$row * $columns] = {};\n", start_) : "",
      stored("$shared[$j]"));
  result.kernels[0].grid = "$rows";
  result.reasoning = {
      "one block scans one row, a thread holds one element",
      "in steps of doubling distance each element takes in the one that far before it; barriers keep reading and writing apart",
      "the row lies in shared memory, padded to $block elements"};
  return result;
}

GymSolution ScanKernels::warp_per_row() const {
  GymSolution result = solution("warp_per_row");
  result.constants = {{"block", power_between(stream_, 32, 128)}};
  const std::string carried = work_.decays ? "$value += powf($decay, $lane + 1) * $carry;"
                                           : fold_line(work_.fold, number_, "$value", "$carry");
  const std::string pass = fmt::format(
      "int $j = $base + $lane;\n"
      "{0} $value = {1};\n"
      "{2}"
      "for (int $offset = 1; $offset < 32; $offset *= 2) {{\n"
      "  {0} $before = __shfl_up_sync(0xffffffff, $value, $offset);\n"
      "  if ($lane >= $offset) {3}\n"
      "{4}"
      "}}\n"
      "{5}\n"
      "{6}"
      "$carry = __shfl_sync(0xffffffff, $value, 31);\n",
      number_.name, loaded_or_start(), power_line(), joined("$value", "$before", "$power"), squared(),
      carried, stored("$value"));
  result.kernels[0].body =
      fmt::format(
          "int $row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
          "int $lane = threadIdx.x % 32;\n"
          "if ($row >= $rows) return;\n"
          "{}"
          "{} $carry = {};\n"
          "for (int $base = 0; $base < $columns; $base += 32) {{\n",
          work_.exclusive ? fmt::format("if ($lane == 0) $y[$row * $columns] = {};\n", start_) : "",
          number_.name, start_) +
      indented(pass) + "}\n";
  result.kernels[0].grid = "($rows * 32 + $block - 1) / $block";
  result.reasoning = {
      "one warp scans one row, 32 elements at a time",
      "five shuffles scan the 32 elements; what the last lane holds is carried to the next 32",
      "loads and stores of a warp are contiguous, and no shared memory is needed"};
  return result;
}

// The scan of one value a thread over a block, in $shared.
std::string block_scan(const std::string& type) {
  return fmt::format(
      "for (int $offset = 1; $offset < $block; $offset *= 2) {{\n"
      "  {} $before = $tid >= $offset ? $shared[$tid - $offset] : 0;\n"
      "  __syncthreads();\n"
      "  $shared[$tid] += $before;\n"
      "  __syncthreads();\n"
      "}}\n",
      type);
}

GymSolution one_block(const std::string& type, bool exclusive, base::RandomStream& stream) {
  GymSolution result;
  result.style = "one_block";
  result.constants = {{"block", power_between(stream, 128, 256)}};
  const std::string store = exclusive ? "if ($i < $n) $y[$i] = $carry + ($tid > 0 ? $shared[$tid - 1] : 0);\n"
                                      : "if ($i < $n) $y[$i] = $carry + $shared[$tid];\n";
  const std::string piece =
      "int $i = $base + $tid;\n$shared[$tid] = $i < $n ? $x[$i] : 0;\n__syncthreads();\n" + block_scan(type) +
      store + "$carry += $shared[$block - 1];\n__syncthreads();\n";
  result.kernels = {{.arrays = {"x", "y"},
                     .sizes = {"n"},
                     .body = fmt::format("__shared__ {0} $shared[$block];\n"
                                         "int $tid = threadIdx.x;\n"
                                         "{0} $carry = 0;\n"
                                         "for (int $base = 0; $base < $n; $base += $block) {{\n{1}}}\n",
                                         type, indented(piece)),
                     .grid = "1",
                     .block = "$block"}};
  result.reasoning = {
      "a single block goes over the vector in pieces of $block elements",
      "each piece is scanned in shared memory with doubling steps; the total so far is carried along",
      "every piece is read and written in one contiguous sweep"};
  return result;
}

GymSolution chunk_per_thread(const std::string& type, bool exclusive, int64_t n, base::RandomStream& stream) {
  GymSolution result;
  result.style = "chunk_per_thread";
  const int64_t block = power_between(stream, 64, 256);
  result.constants = {{"block", block}, {"chunk", (n + block - 1) / block}};
  const std::string step =
      exclusive ? "$y[$i] = $acc;\n$acc += $x[$i];\n" : "$acc += $x[$i];\n$y[$i] = $acc;\n";
  result.kernels = {{.arrays = {"x", "y"},
                     .sizes = {"n"},
                     .body = fmt::format("__shared__ {0} $shared[$block];\n"
                                         "int $tid = threadIdx.x;\n"
                                         "int $first = $tid * $chunk;\n"
                                         "int $last = min($first + $chunk, $n);\n"
                                         "{0} $sum = 0;\n"
                                         "for (int $i = $first; $i < $last; ++$i) $sum += $x[$i];\n"
                                         "$shared[$tid] = $sum;\n"
                                         "__syncthreads();\n"
                                         "{0} $acc = 0;\n"
                                         "for (int $k = 0; $k < $tid; ++$k) $acc += $shared[$k];\n"
                                         "for (int $i = $first; $i < $last; ++$i) {{\n{1}}}\n",
                                         type, indented(step)),
                     .grid = "1",
                     .block = "$block"}};
  result.reasoning = {
      "each thread of one block takes a chunk of $chunk neighboring elements",
      "first every thread adds up its chunk, then it adds the chunks before it and runs over its own again",
      "only the totals of the chunks lie in shared memory"};
  return result;
}

GymSolution three_kernels(tasks::NumberType number, const std::string& type, bool exclusive,
                          base::RandomStream& stream) {
  GymSolution result;
  result.style = "three_kernels";
  result.constants = {{"block", power_between(stream, 128, 256)}};
  result.scratch = {{"totals", number, "($n + $block - 1) / $block"}};
  const std::string store = exclusive ? "if ($i < $n) $y[$i] = $tid > 0 ? $shared[$tid - 1] : 0;\n"
                                      : "if ($i < $n) $y[$i] = $shared[$tid];\n";
  GymKernel pieces{.key = "scan_pieces",
                   .arrays = {"x", "y", "totals"},
                   .sizes = {"n"},
                   .body = fmt::format("__shared__ {} $shared[$block];\n", type) +
                           "int $tid = threadIdx.x;\n"
                           "int $i = blockIdx.x * $block + $tid;\n"
                           "$shared[$tid] = $i < $n ? $x[$i] : 0;\n"
                           "__syncthreads();\n" +
                           block_scan(type) + store +
                           "if ($tid == $block - 1) $totals[blockIdx.x] = $shared[$tid];\n",
                   .grid = "($n + $block - 1) / $block",
                   .block = "$block"};
  GymKernel totals{.key = "scan_totals",
                   .arrays = {"totals"},
                   .sizes = {"n"},
                   .body = fmt::format("{} $acc = 0;\n"
                                       "for (int $k = 0; $k < ($n + $block - 1) / $block; ++$k) {{\n"
                                       "  $acc += $totals[$k];\n"
                                       "  $totals[$k] = $acc;\n"
                                       "}}\n",
                                       type),
                   .grid = "1",
                   .block = "1"};
  GymKernel add{.key = "add_totals",
                .arrays = {"totals", "y"},
                .sizes = {"n"},
                .body =
                    "int $i = (blockIdx.x + 1) * $block + threadIdx.x;\n"
                    "if ($i < $n) $y[$i] += $totals[blockIdx.x];\n",
                .grid = "($n + $block - 1) / $block",
                .block = "$block"};
  result.kernels = {pieces, totals, add};
  result.reasoning = {
      "a block scans a piece of $block elements, and all pieces at once",
      "the pieces' totals are scanned by a second kernel, and a third adds them to the pieces after",
      "the totals pass through global memory, since blocks cannot wait for each other"};
  return result;
}

}  // namespace

std::vector<GymSolution> scan_solutions(const ScanWork& work, base::RandomStream& stream) {
  const ScanKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.thread_per_row(), kernels.block_per_row(),
                                        kernels.warp_per_row()};
  keep_used_parameters(solutions);
  return solutions;
}

std::vector<GymSolution> vector_scan_solutions(tasks::NumberType type, bool exclusive, int64_t n,
                                               base::RandomStream& stream) {
  const std::string name = cuda_number(type).name;
  return {three_kernels(type, name, exclusive, stream), one_block(name, exclusive, stream),
          chunk_per_thread(name, exclusive, n, stream)};
}

}  // namespace cuset::gym
