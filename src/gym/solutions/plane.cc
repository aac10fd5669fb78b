#include "gym/solutions/plane.h"

#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymSolution framed(const PlaneWork& work, const std::string& style) {
  GymSolution solution;
  solution.style = style;
  solution.functions = work.functions;
  solution.headers = work.headers;
  solution.kernels = {{.arrays = work.arrays, .sizes = work.sizes, .scalars = work.scalars}};
  return solution;
}

std::string product(const std::string& a, const std::string& b) { return a.empty() ? b : a + " * " + b; }

std::string count_of_all(const PlaneWork& work) {
  return product(product(work.planes, work.rows), work.columns);
}

// int $row and the others, from the flat index $i.
std::string unravelled(const PlaneWork& work) {
  if (work.planes.empty())
    return fmt::format("int $row = $i / {0};\nint $column = $i % {0};\n", work.columns);
  return fmt::format("int $column = $i % {0};\nint $row = $i / {0} % {1};\nint $plane = $i / ({0} * {1});\n",
                     work.columns, work.rows);
}

GymSolution flat(const PlaneWork& work, base::RandomStream& stream) {
  GymSolution result = framed(work, "one_thread_each");
  result.constants = {{"block", power_between(stream, 64, 512)}};
  const std::string first = "int $i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  const std::string inner = unravelled(work) + work.lines;
  result.kernels[0].body =
      one_in(stream, 2)
          ? fmt::format("{}if ($i >= {}) return;\n{}", first, count_of_all(work), inner)
          : fmt::format("{}if ($i < {}) {{\n{}}}\n", first, count_of_all(work), indented(inner));
  result.kernels[0].grid = fmt::format("({} + $block - 1) / $block", count_of_all(work));
  result.kernels[0].block = "$block";
  result.reasoning = {"one thread computes one " + work.noun + "; row and column come from the flat index",
                      "", "consecutive threads have consecutive columns, so that stores are coalesced"};
  return result;
}

GymSolution striding(const PlaneWork& work, base::RandomStream& stream) {
  GymSolution result = framed(work, "grid_stride");
  result.constants = {{"block", power_between(stream, 64, 512)}, {"blocks", whole_between(stream, 4, 40)}};
  result.kernels[0].body = fmt::format(
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < {}; $i += gridDim.x * blockDim.x) {{\n{}}}\n",
      count_of_all(work), indented(unravelled(work) + work.lines));
  result.kernels[0].grid = "$blocks";
  result.kernels[0].block = "$block";
  result.reasoning = {"a fixed grid of $blocks blocks strides over all elements of the output", "",
                      "within one step the grid covers a contiguous run of the output"};
  return result;
}

GymSolution row_blocks(const PlaneWork& work, base::RandomStream& stream) {
  GymSolution result = framed(work, "block_per_row");
  result.constants = {{"block", power_between(stream, 32, 256)}};
  const std::string row =
      work.planes.empty()
          ? "int $row = blockIdx.x;\n"
          : fmt::format("int $row = blockIdx.x % {0};\nint $plane = blockIdx.x / {0};\n", work.rows);
  result.kernels[0].body =
      fmt::format("{}for (int $column = threadIdx.x; $column < {}; $column += blockDim.x) {{\n{}}}\n", row,
                  work.columns, indented(work.lines));
  result.kernels[0].grid = product(work.planes, work.rows);
  result.kernels[0].block = "$block";
  result.reasoning = {"one block serves one row; its threads step along the columns", "",
                      "the threads of a block write neighboring columns"};
  return result;
}

GymSolution column_walk(const PlaneWork& work, base::RandomStream& stream) {
  GymSolution result = framed(work, "thread_per_column");
  result.constants = {{"block", power_between(stream, 32, 128)}};
  result.kernels[0].body = fmt::format(
      "int $column = blockIdx.x * blockDim.x + threadIdx.x;\nif ($column >= {}) return;\n"
      "for (int $row = 0; $row < {}; ++$row) {{\n{}}}\n",
      work.columns, work.rows, indented(work.lines));
  result.kernels[0].grid = fmt::format("({} + $block - 1) / $block", work.columns);
  result.kernels[0].block = "$block";
  result.reasoning = {"one thread owns one column and walks down its rows", "",
                      "at each step neighboring threads are in the same row, side by side"};
  return result;
}

GymSolution blocks_2d(const PlaneWork& work, base::RandomStream& stream) {
  const int64_t wide = power_between(stream, 8, 32);
  GymSolution result =
      plane_frame(work, "blocks_2d", wide, power_between(stream, 4, 256 / wide > 16 ? 16 : 256 / wide));
  result.kernels[0].body += fmt::format("if ({}) {{\n{}}}\n", inside_plane(work), indented(work.lines));
  result.reasoning = {"blocks of $wide x $high threads cover the output, one thread per " + work.noun, "",
                      "threadIdx.x runs along the columns, the fastest index in memory"};
  return result;
}

}  // namespace

std::string inside_plane(const PlaneWork& work) {
  return fmt::format("$row < {} && $column < {}", work.rows, work.columns);
}

GymSolution plane_frame(const PlaneWork& work, const std::string& style, int64_t wide, int64_t high) {
  GymSolution result = framed(work, style);
  result.constants = {{"wide", wide}, {"high", high}};
  result.kernels[0].body =
      "int $column = blockIdx.x * blockDim.x + threadIdx.x;\nint $row = blockIdx.y * blockDim.y + threadIdx.y;\n";
  if (!work.planes.empty()) result.kernels[0].body += "int $plane = blockIdx.z;\n";
  result.kernels[0].grid =
      fmt::format("dim3(({} + $wide - 1) / $wide, ({} + $high - 1) / $high{})", work.columns, work.rows,
                  work.planes.empty() ? "" : ", " + work.planes);
  result.kernels[0].block = "dim3($wide, $high)";
  return result;
}

std::vector<GymSolution> plane_solutions(const PlaneWork& work, base::RandomStream& stream) {
  std::vector<GymSolution> solutions = {flat(work, stream), blocks_2d(work, stream), row_blocks(work, stream),
                                        striding(work, stream)};
  if (work.planes.empty()) solutions.push_back(column_walk(work, stream));
  return solutions;
}

}  // namespace cuset::gym
