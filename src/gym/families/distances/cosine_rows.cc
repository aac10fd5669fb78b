// The cosine between rows of two matrices, as similarity or as distance.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_cosine_rows(base::RandomStream& stream) {
  const bool distance = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream, 12, 256);
  const std::string noun = distance ? "cosine distance" : "cosine similarity";
  GymDraft draft;
  draft.titles = {"the " + noun + " of the rows of $a and $b", "the " + noun + " of each pair of rows",
                  "row by row the " + noun + " of two matrices", "one " + noun + " for every row"};
  draft.formula =
      std::string(distance ? "$y[i] = 1 - c" : "$y[i] = c") +
      ", where c = (sum over j of $a[i][j] * $b[i][j]) / sqrt((sum over j of $a[i][j]^2) * (sum over j of $b[i][j]^2))";
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  const tasks::Shape shape = {size.rows, size.columns};
  draft.inputs = {{"a", tasks::NumberType::kFloat32, shape, {"rows", "columns"}, normal(0.5), {}},
                  {"b", tasks::NumberType::kFloat32, shape, {"rows", "columns"}, normal(0.5), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-5, 1e-4}}};
  const auto sum = [&](const std::string& name, const std::string& p, const std::string& q) {
    return OracleStep{name,
                      {size.rows},
                      "loops",
                      {"$a", "$b"},
                      {{"expression", p + "[i0, k0] * " + q + "[i0, k0]"}, {"over", {size.columns}}}};
  };
  draft.oracle = chain_of(
      {sum("dot_ab", "$a", "$b"),
       sum("sq_a", "$a", "$a"),
       sum("sq_b", "$b", "$b"),
       {.native = "map",
        .inputs = {"dot_ab", "sq_a", "sq_b"},
        .parameters = {{"expression", std::string(distance ? "1 - " : "") + "dot_ab / sqrt(sq_a * sq_b)"}}}});
  LaneWork work;
  work.arrays = {"a", "b", "y"};
  const std::string at = "[$row * $columns + $j]";
  work.folds = {{"dot", Fold::kSum, "$a" + at + " * $b" + at, ""},
                {"na", Fold::kSum, "$a" + at + " * $a" + at, ""},
                {"nb", Fold::kSum, "$b" + at + " * $b" + at, ""}};
  work.once =
      distance ? "$y[$row] = 1.0f - $dot * rsqrtf($na * $nb);" : "$y[$row] = $dot / sqrtf($na * $nb);";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_cosine_rows;
const GymFamily kFamily_cosine_rows = {"cosine_rows", "distances", draw_cosine_rows};

}  // namespace cuset::gym
