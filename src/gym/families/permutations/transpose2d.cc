// A matrix turned over its diagonal: straight, and through tiles in shared memory.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymSolution tiled(base::RandomStream& stream, bool short_blocks) {
  const int64_t tile = one_in(stream, 2) ? 16 : 32;
  const int64_t lines = short_blocks ? tile / 4 : tile;
  GymSolution result;
  result.style = short_blocks ? "tile_with_short_blocks" : "shared_tile";
  result.constants = {{"side", tile}};
  if (short_blocks) result.constants.push_back({"lines", lines});
  GymKernel kernel{.arrays = {"x", "y"}, .sizes = {"rows", "columns"}};
  kernel.body =
      "__shared__ $T $tile[$side][$side + 1];\n"
      "int $c = blockIdx.x * $side + threadIdx.x;\n"
      "int $r = blockIdx.y * $side + threadIdx.y;\n";
  if (short_blocks) {
    kernel.body +=
        "for (int $k = 0; $k < $side; $k += $lines)\n"
        "  if ($r + $k < $rows && $c < $columns) $tile[threadIdx.y + $k][threadIdx.x] = $x[($r + $k) * $columns + $c];\n"
        "__syncthreads();\n"
        "$c = blockIdx.y * $side + threadIdx.x;\n"
        "$r = blockIdx.x * $side + threadIdx.y;\n"
        "for (int $k = 0; $k < $side; $k += $lines)\n"
        "  if ($r + $k < $columns && $c < $rows) $y[($r + $k) * $rows + $c] = $tile[threadIdx.x][threadIdx.y + $k];\n";
  } else {
    kernel.body +=
        "if ($r < $rows && $c < $columns) $tile[threadIdx.y][threadIdx.x] = $x[$r * $columns + $c];\n"
        "__syncthreads();\n"
        "$c = blockIdx.y * $side + threadIdx.x;\n"
        "$r = blockIdx.x * $side + threadIdx.y;\n"
        "if ($r < $columns && $c < $rows) $y[$r * $rows + $c] = $tile[threadIdx.x][threadIdx.y];\n";
  }
  kernel.grid = "dim3(($columns + $side - 1) / $side, ($rows + $side - 1) / $side)";
  kernel.block = short_blocks ? "dim3($side, $lines)" : "dim3($side, $side)";
  result.kernels = {kernel};
  result.reasoning = {
      short_blocks ? "a block of $side x $lines threads moves a tile of $side x $side elements"
                   : "a block of $side x $side threads moves one tile, one element per thread",
      "",
      "the tile goes through shared memory, so that loads and stores are both coalesced; its rows have one element "
      "more to keep the banks apart"};
  return result;
}

GymDraft draw_transpose2d(base::RandomStream& stream) {
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32,
                                                 tasks::NumberType::kInt32, tasks::NumberType::kFloat64});
  const MatrixSize size = {whole_between(stream, 24, 180), whole_between(stream, 24, 180)};
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal());
  draft.titles = {"the transpose of the matrix $x", "$x with rows and columns exchanged",
                  "a matrix transposition", "the $columns x $rows transpose of $x"};
  draft.formula = "$y[j][i] = $x[i][j]";
  draft.outputs = {{"y", type, {size.columns, size.rows}, {"columns", "rows"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"transpose", base::Json::object(), ""};
  draft.solutions =
      plane_solutions({.arrays = {"x", "y"},
                       .rows = "$columns",
                       .columns = "$rows",
                       .lines = "$y[$row * $rows + $column] = $x[$column * $columns + $row];\n"},
                      stream);
  draft.solutions.resize(3);
  draft.solutions.push_back(tiled(stream, false));
  draft.solutions.push_back(tiled(stream, true));
  return draft;
}

}  // namespace

extern const GymFamily kFamily_transpose2d;
const GymFamily kFamily_transpose2d = {"transpose2d", "permutations", draw_transpose2d};

}  // namespace cuset::gym
