#include "gym/solutions/full_fold.h"

#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

class FullKernels {
 public:
  FullKernels(const FullFold& work, base::RandomStream& stream)
      : work_(work), stream_(stream), number_(cuda_number(work.type)) {}

  GymSolution one_block() const;
  GymSolution two_passes() const;
  GymSolution thread_partials() const;
  GymSolution warp_atomics() const;

 private:
  GymSolution solution(std::string style) const;
  std::string strided(const std::string& count, const std::string& first, const std::string& step,
                      const std::string& term) const;
  std::string tree() const;
  std::string shuffles() const;
  GymKernel first_kernel(std::vector<std::string> extra) const;
  GymKernel last_kernel() const;

  const FullFold& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
};

GymSolution FullKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.headers = work_.headers;
  if (work_.fold == Fold::kMax || work_.fold == Fold::kMin) solution.headers.push_back(number_.header);
  solution.constants = {{"block", power_between(stream_, 64, 256)}};
  return solution;
}

std::string FullKernels::strided(const std::string& count, const std::string& first, const std::string& step,
                                 const std::string& term) const {
  return fmt::format("{} $acc = {};\nfor (int $i = {}; $i < {}; $i += {}) {{\n  {}\n}}\n", number_.name,
                     fold_start(work_.fold, number_), first, count, step,
                     fold_line(work_.fold, number_, "$acc", term));
}

std::string FullKernels::tree() const { return fold_tree(work_.fold, number_, "$acc"); }

std::string FullKernels::shuffles() const {
  return fold_shuffles(work_.fold, number_, "$acc", "__shfl_down_sync");
}

GymKernel FullKernels::first_kernel(std::vector<std::string> extra) const {
  std::vector<std::string> arrays = work_.inputs;
  arrays.insert(arrays.end(), extra.begin(), extra.end());
  return {.arrays = arrays, .sizes = {work_.count}, .scalars = work_.scalars, .block = "$block"};
}

GymSolution FullKernels::one_block() const {
  GymSolution result = solution("one_block");
  result.constants[0].value *= 2;
  GymKernel kernel = first_kernel({work_.output});
  for (const std::string& size : work_.finish_sizes)
    if (size != work_.count) kernel.sizes.push_back(size);
  kernel.body = fmt::format("__shared__ {} $shared[$block];\nint $tid = threadIdx.x;\n", number_.name) +
                strided("$" + work_.count, "$tid", "$block", work_.term) + tree() +
                fmt::format("if ($tid == 0) {{\n  $acc = $shared[0];\n  ${}[0] = {};\n}}\n", work_.output,
                            work_.finish);
  kernel.grid = "1";
  result.kernels = {kernel};
  result.reasoning = {
      "a single block walks over the whole array",
      fmt::format("each thread {} its share in a register, then a tree in shared memory combines them",
                  fold_verb(work_.fold)),
      "neighboring threads read neighboring elements"};
  return result;
}

// One warp for all partial results, of which there are $parts.
GymKernel FullKernels::last_kernel() const {
  GymKernel kernel{.key = "combine",
                   .arrays = {"partial", work_.output},
                   .sizes = work_.finish_sizes,
                   .grid = "1",
                   .block = "32"};
  kernel.body = strided("$parts", "threadIdx.x", "32", "$partial[$i]") + shuffles() +
                fmt::format("if (threadIdx.x == 0) ${}[0] = {};\n", work_.output, work_.finish);
  return kernel;
}

GymSolution FullKernels::two_passes() const {
  GymSolution result = solution("two_pass");
  result.constants.push_back({"parts", whole_between(stream_, 8, 64)});
  result.scratch = {{"partial", work_.type, "$parts"}};
  GymKernel first = first_kernel({"partial"});
  first.body = fmt::format("__shared__ {} $shared[$block];\nint $tid = threadIdx.x;\n", number_.name) +
               strided("$" + work_.count, "blockIdx.x * $block + $tid", "$parts * $block", work_.term) +
               tree() + "if ($tid == 0) $partial[blockIdx.x] = $shared[0];\n";
  first.grid = "$parts";
  result.kernels = {first, last_kernel()};
  result.reasoning = {
      "$parts blocks stride over the array and leave one partial result each; a second kernel combines them",
      fmt::format("each block {} its share by a tree in shared memory, the last warp by shuffles",
                  fold_verb(work_.fold)),
      "neighboring threads read neighboring elements; the partial results pass through global memory"};
  return result;
}

GymSolution FullKernels::thread_partials() const {
  GymSolution result = solution("thread_partials");
  result.constants.push_back({"parts", result.constants[0].value * whole_between(stream_, 2, 8)});
  result.scratch = {{"partial", work_.type, "$parts"}};
  GymKernel first = first_kernel({"partial"});
  first.body = "int $gid = blockIdx.x * blockDim.x + threadIdx.x;\n" +
               strided("$" + work_.count, "$gid", "$parts", work_.term) + "$partial[$gid] = $acc;\n";
  first.grid = "$parts / $block";
  result.kernels = {first, last_kernel()};
  result.reasoning = {
      "$parts threads stride over the array; each leaves its own partial result, and one warp combines them in a second kernel",
      fmt::format("each thread {} its share in a register; only the second kernel exchanges values",
                  fold_verb(work_.fold)),
      "neighboring threads read neighboring elements"};
  return result;
}

GymSolution FullKernels::warp_atomics() const {
  GymSolution result = solution("warp_atomics");
  GymKernel kernel = first_kernel({work_.output});
  for (const std::string& size : work_.finish_sizes)
    if (size != work_.count) kernel.sizes.push_back(size);
  kernel.body = strided("$" + work_.count, "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x",
                        work_.term) +
                shuffles() +
                fmt::format("if (threadIdx.x % 32 == 0) atomicAdd(${}, {});\n", work_.output, work_.finish);
  kernel.grid = fmt::format("{}", whole_between(stream_, 4, 32));
  result.kernels = {kernel};
  result.zeroed = {work_.output};
  result.reasoning = {
      "a fixed grid strides over the array",
      "each warp adds up its share by shuffles and its first lane adds that to the result atomically",
      "the result must be 0 before the launch; neighboring threads read neighboring elements"};
  return result;
}

}  // namespace

std::vector<GymSolution> full_fold_solutions(const FullFold& work, base::RandomStream& stream) {
  const FullKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.one_block(), kernels.two_passes(), kernels.thread_partials()};
  if (work.fold == Fold::kSum && work.linear) solutions.push_back(kernels.warp_atomics());
  keep_used_parameters(solutions);
  return solutions;
}

}  // namespace cuset::gym
