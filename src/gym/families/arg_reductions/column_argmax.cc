// The place of the largest or smallest element of each column.
#include "gym/solutions/arg_fold.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_column_argmax(base::RandomStream& stream) {
  const bool largest = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal(largest ? -2 : 2));
  const std::string arg = largest ? "argmax" : "argmin";
  const std::string what = largest ? "largest" : "smallest";
  draft.titles = {"the index of the " + what + " element of each column of $x",
                  "the " + arg + " of every column of a matrix", "column-wise " + arg,
                  "the row at which each column of $x is " + what};
  draft.formula = "$y[j] = the smallest i with $x[i][j] = " + std::string(largest ? "max" : "min") +
                  " over k of $x[k][j]";
  draft.notes = {"$y holds int32 indices from 0", "of equal elements the one with the smallest index counts"};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {size.columns}, {"columns"}, {}, {}}};
  draft.oracle = {"reduce", {{"op", arg}, {"axes", 0}}, ""};

  ArgFold work;
  work.largest = largest;
  work.lane = "column";
  work.lanes = "$columns";
  work.noun = "column";
  work.length = "$rows";
  work.first = "";
  work.step = " * $columns + $column";
  draft.solutions = arg_lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_column_argmax;
const GymFamily kFamily_column_argmax = {"column_argmax", "arg_reductions", draw_column_argmax};

}  // namespace cuset::gym
