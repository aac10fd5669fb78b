// An anchor should be nearer to a positive than to a negative sample, by a margin; for each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_triplet_loss(base::RandomStream& stream) {
  const bool absolute = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream, 8, 128);
  GymDraft draft;
  draft.titles = {"the triplet loss of each row", "the margin by which $near is not nearer to $a than $far",
                  "a triplet margin loss for rows of embeddings",
                  "the loss of anchors $a with positives and negatives"};
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.scalars = {{"margin", draw_constant(stream, 1, 8, 4)}};
  draft.notes = {"$margin is {margin}"};
  const tasks::Shape shape = {size.rows, size.columns};
  for (const char* key : {"a", "near", "far"})
    draft.inputs.push_back({key, tasks::NumberType::kFloat32, shape, {"rows", "columns"}, normal(), {}});
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {absolute ? 2e-4 : 1e-3, 1e-4}}};
  const auto distance = [&](const std::string& other, const std::string& at,
                            const std::string& absolute_value) {
    const std::string difference = "($a" + at + " - $" + other + at + ")";
    return absolute ? absolute_value + difference : difference + " * " + difference;
  };
  draft.formula =
      absolute
          ? "$y[i] = max(0, $margin + sum over j of (|$a[i][j] - $near[i][j]| - |$a[i][j] - $far[i][j]|))"
          : "$y[i] = max(0, $margin + sum over j of (($a[i][j] - $near[i][j])^2 - ($a[i][j] - $far[i][j])^2))";
  draft.oracle = {
      "loops",
      {{"expression", distance("near", "[i0, k0]", "abs") + " - " + distance("far", "[i0, k0]", "abs")},
       {"over", {size.columns}},
       {"then", "max(0, {margin} + result)"}},
      ""};
  LaneWork work;
  work.arrays = {"a", "near", "far", "y"};
  work.scalars = {"margin"};
  const std::string at = "[$row * $columns + $j]";
  work.folds = {
      {"sum", Fold::kSum, distance("near", at, "fabsf") + " - " + distance("far", at, "fabsf"), ""}};
  work.once = "$y[$row] = fmaxf($margin + $sum, 0.0f);";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_triplet_loss;
const GymFamily kFamily_triplet_loss = {"triplet_loss", "losses", draw_triplet_loss};

}  // namespace cuset::gym
