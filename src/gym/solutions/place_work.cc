#include "gym/solutions/place_work.h"

#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/used_parameters.h"

namespace cuset::gym {
namespace {

class PlaceKernels {
 public:
  PlaceKernels(const PlaceWork& work, base::RandomStream& stream) : work_(work), stream_(stream) {}

  GymSolution thread_per_place() const;
  GymSolution grid_stride() const;
  GymSolution grid_of_planes() const;
  GymSolution block_per_plane() const;

 private:
  GymSolution solution(std::string style) const;
  // The lines with the slice read from `array`, which begins at `first`.
  std::string lines_reading(const std::string& array, const std::string& first) const;
  std::string lines() const {
    return lines_reading(work_.slice, work_.slice_first.empty() ? "" : work_.slice_first + " + ");
  }
  std::string all() const { return bracketed(work_.planes) + " * " + bracketed(work_.places); }
  static std::string bracketed(const std::string& text) {
    return text.find_first_of("+/-") == std::string::npos ? text : "(" + text + ")";
  }
  std::string split() const;

  const PlaceWork& work_;
  base::RandomStream& stream_;
};

GymSolution PlaceKernels::solution(std::string style) const {
  GymSolution solution;
  solution.style = std::move(style);
  solution.headers = work_.headers;
  solution.constants = {{"block", power_between(stream_, 64, 256)}};
  solution.kernels = {
      {.arrays = work_.arrays, .sizes = work_.sizes, .scalars = work_.scalars, .block = "$block"}};
  return solution;
}

std::string PlaceKernels::lines_reading(const std::string& array, const std::string& first) const {
  std::string text = work_.lines;
  const std::string opening = fmt::format("${}[{}", array, first);
  for (size_t at = text.find("@["); at != std::string::npos; at = text.find("@[", at))
    text.replace(at, 2, opening);
  return text;
}

// Plane and place of the place number $i of all.
std::string PlaceKernels::split() const {
  const bool single = work_.places.find(' ') == std::string::npos;
  const std::string places = single ? work_.places : "(" + work_.places + ")";
  return fmt::format("int ${0} = $i / {2};\nint ${1} = $i % {2};\n", work_.plane, work_.place, places) +
         work_.plane_lines;
}

GymSolution PlaceKernels::thread_per_place() const {
  GymSolution result = solution("one_thread_each");
  GymKernel& kernel = result.kernels[0];
  kernel.body =
      fmt::format("int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i >= {}) return;\n", all()) +
      split() + lines();
  kernel.grid = fmt::format("({} + $block - 1) / $block", all());
  result.reasoning = {"one thread computes one element of the output; division and remainder give its place",
                      "", "neighboring threads write neighboring elements"};
  return result;
}

GymSolution PlaceKernels::grid_stride() const {
  GymSolution result = solution("grid_stride");
  GymKernel& kernel = result.kernels[0];
  kernel.body =
      fmt::format(
          "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < {}; $i += blockDim.x * gridDim.x) {{\n",
          all()) +
      indented(split() + lines()) + "}\n";
  kernel.grid = fmt::format("{}", whole_between(stream_, 8, 48));
  result.reasoning = {
      "a fixed grid walks over the output, each thread taking every gridDim.x * blockDim.x-th element", "",
      "neighboring threads write neighboring elements"};
  return result;
}

GymSolution PlaceKernels::grid_of_planes() const {
  GymSolution result = solution("grid_of_planes");
  GymKernel& kernel = result.kernels[0];
  kernel.body = fmt::format(
                    "int ${0} = blockIdx.x * blockDim.x + threadIdx.x;\nint ${1} = blockIdx.y;\n"
                    "if (${0} < {2}) {{\n",
                    work_.place, work_.plane, work_.places) +
                indented(work_.plane_lines + lines()) + "}\n";
  kernel.grid = fmt::format("dim3(({} + $block - 1) / $block, {})", work_.places, work_.planes);
  result.constants[0].value = power_between(stream_, 32, 128);
  result.reasoning = {
      fmt::format("the grid's y counts the {}s, its x the elements of one {}", work_.noun, work_.noun), "",
      "no division is needed, and neighboring threads write neighboring elements"};
  return result;
}

GymSolution PlaceKernels::block_per_plane() const {
  GymSolution result = solution("block_per_" + work_.noun);
  GymKernel& kernel = result.kernels[0];
  const bool staged = !work_.slice.empty();
  kernel.body = fmt::format("int ${} = blockIdx.x;\n", work_.plane) + work_.plane_lines;
  if (staged) {
    result.constants.push_back({"slice", work_.slice_size});
    kernel.body = "__shared__ float $shared[$slice];\n" + kernel.body +
                  fmt::format(
                      "for (int $i = threadIdx.x; $i < $slice; $i += blockDim.x) {{\n"
                      "  $shared[$i] = ${}[{} + $i];\n"
                      "}}\n"
                      "__syncthreads();\n",
                      work_.slice, work_.slice_first);
  }
  kernel.body += fmt::format("for (int ${0} = threadIdx.x; ${0} < {1}; ${0} += blockDim.x) {{\n", work_.place,
                             work_.places) +
                 indented(staged ? lines_reading("shared", "") : lines()) + "}\n";
  kernel.grid = work_.planes;
  result.reasoning = {
      fmt::format("one block computes one {}, its threads stride over the elements", work_.noun), "",
      staged ? fmt::format("the part of ${} that all of them read lies in shared memory", work_.slice)
             : "neighboring threads write neighboring elements"};
  return result;
}

}  // namespace

std::vector<GymSolution> place_solutions(const PlaceWork& work, base::RandomStream& stream) {
  const PlaceKernels kernels(work, stream);
  std::vector<GymSolution> solutions = {kernels.thread_per_place(), kernels.grid_stride(),
                                        kernels.grid_of_planes(), kernels.block_per_plane()};
  keep_used_parameters(solutions);
  return solutions;
}

}  // namespace cuset::gym
