// Two vectors woven into one, or one taken apart.
#include "gym/solutions/draws.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_interleave(base::RandomStream& stream) {
  const bool joins = one_in(stream, 2);
  const int64_t n = draw_count(stream) / 2;
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const tasks::Domain domain = type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal();
  GymDraft draft;
  draft.sizes = {{"n", n}};
  MapWork work{.type = type, .indexed = true};
  if (joins) {
    draft.titles = {"$a and $b woven into one vector", "the interleaved elements of $a and $b",
                    "an alternation of $a and $b", "pairs of $a[i] and $b[i], one after the other"};
    draft.formula = "$y[2 * i] = $a[i], $y[2 * i + 1] = $b[i]";
    draft.inputs = {{"a", type, {n}, {"n"}, domain, {}}, {"b", type, {n}, {"n"}, domain, {}}};
    draft.outputs = {{"y", type, {n, 2}, {"n", "2"}, {}, {1e-7, 1e-6}}};
    draft.oracle = {"loops", {{"expression", "where(i1 == 0, $a[i0], $b[i0])"}}, ""};
    work.lines = "$y[2 * $i] = $a[$i];\n$y[2 * $i + 1] = $b[$i];\n";
  } else {
    draft.titles = {"the even elements of $x, then the odd ones", "$x taken apart into two halves",
                    "the deinterleaved $x", "both components of the pairs in $x, one vector after the other"};
    draft.formula = "$y[0][i] = $x[2 * i], $y[1][i] = $x[2 * i + 1]";
    draft.inputs = {{"x", type, {n, 2}, {"n", "2"}, domain, {}}};
    draft.outputs = {{"y", type, {2, n}, {"2", "n"}, {}, {1e-7, 1e-6}}};
    draft.oracle = {"loops", {{"expression", "$x[i1, i0]"}}, ""};
    work.lines = "$y[$i] = $x[2 * $i];\n$y[$n + $i] = $x[2 * $i + 1];\n";
  }
  draft.solutions = map_solutions(draft, work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_interleave;
const GymFamily kFamily_interleave = {"interleave", "permutations", draw_interleave};

}  // namespace cuset::gym
