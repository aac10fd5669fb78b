// The place of the largest or smallest element of a vector.
#include "gym/solutions/arg_fold.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_full_argmax(base::RandomStream& stream) {
  const bool largest = one_in(stream, 2);
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const int64_t n = whole_between(stream, 2000, 30000);
  GymDraft draft;
  const std::string arg = largest ? "argmax" : "argmin";
  const std::string what = largest ? "largest" : "smallest";
  draft.titles = {"the index of the " + what + " element of $x", "the " + arg + " of a vector",
                  "the position at which $x is " + what, "a full " + arg + " over $x"};
  draft.formula =
      "$y = the smallest i with $x[i] = " + std::string(largest ? "max" : "min") + " over k of $x[k]";
  draft.notes = {"$y is one int32 index from 0", "of equal elements the one with the smallest index counts"};
  draft.sizes = {{"n", n}};
  const tasks::Domain domain =
      type == tasks::NumberType::kInt32 ? whole_numbers(-100000000, 100000000) : normal(largest ? -2 : 2);
  draft.inputs = {{"x", type, {n}, {"n"}, domain, {}}};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {}, {}, {}, {}}};
  draft.oracle = {"reduce", {{"op", arg}}, ""};
  draft.solutions = arg_full_solutions(type, largest, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_full_argmax;
const GymFamily kFamily_full_argmax = {"full_argmax", "arg_reductions", draw_full_argmax};

}  // namespace cuset::gym
