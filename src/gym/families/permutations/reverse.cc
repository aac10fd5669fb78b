// A vector or its segments from back to front.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_reverse(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kInt32, tasks::NumberType::kFloat64});
  const int64_t segment = whole_between(stream, 20, 300);
  const int64_t segments = whole_between(stream, 10, 100);
  const bool whole = one_in(stream, 2);
  const int64_t n = segment * segments;
  GymDraft draft;
  draft.sizes = {{"n", n}};
  MapWork work{.type = type, .indexed = true};
  if (whole) {
    draft.titles = {"$x from back to front", "the reversed vector $x", "$x in reverse order",
                    "the elements of $x, the last one first"};
    draft.formula = "$y[i] = $x[$n - 1 - i]";
    draft.oracle = {"loops", {{"expression", "$x[{n} - 1 - i0]"}}, ""};
    work.values = {"$x[$n - 1 - $i]"};
  } else {
    draft.sizes.push_back({"segment", segment});
    work.sizes = {"segment"};
    draft.titles = {"$x with every segment of $segment elements reversed",
                    "each run of $segment elements of $x from back to front",
                    "the segments of $x, each in reverse order", "a segmented reversal of $x"};
    draft.formula = "$y[s * $segment + k] = $x[s * $segment + $segment - 1 - k]";
    draft.oracle = {"loops", {{"expression", "$x[i0 - 2 * mod(i0, {segment}) + {segment} - 1]"}}, ""};
    work.values = {"$x[$i - 2 * ($i % $segment) + $segment - 1]"};
  }
  draft.inputs = {
      {"x", type, {n}, {"n"}, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal(), {}}};
  draft.outputs = {{"y", type, {n}, {"n"}, {}, {1e-7, 1e-6}}};
  draft.solutions = map_solutions(draft, work, stream);
  if (whole) {
    GymSolution shared = draft.solutions[0];
    shared.style = "shared_tile";
    shared.kernels[0].body =
        "__shared__ $T $tile[$block];\n"
        "int $i = blockIdx.x * $block + threadIdx.x;\n"
        "if ($i < $n) $tile[$block - 1 - threadIdx.x] = $x[$i];\n"
        "__syncthreads();\n"
        "int $to = $n - (blockIdx.x + 1) * $block + threadIdx.x;\n"
        "if ($to >= 0) $y[$to] = $tile[threadIdx.x];\n";
    shared.reasoning = {"a block reverses one piece of $block elements and writes it to the mirrored place",
                        "",
                        "the piece is turned in shared memory, so that loads and stores both run forwards"};
    draft.solutions.push_back(shared);
  }
  return draft;
}

}  // namespace

extern const GymFamily kFamily_reverse;
const GymFamily kFamily_reverse = {"reverse", "permutations", draw_reverse};

}  // namespace cuset::gym
