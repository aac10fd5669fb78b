// The running sum of a vector, too long for one block.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_prefix_sum_vector(base::RandomStream& stream) {
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const bool exclusive = one_in(stream, 3);
  const int64_t n = whole_between(stream, 1500, 12000);
  GymDraft draft;
  const std::string kind = exclusive ? "exclusive" : "inclusive";
  draft.titles = {"the " + kind + " prefix sum of the vector $x", "the " + kind + " cumulative sum of $x",
                  "an " + kind + " scan of a long vector", "the running total of $x, " + kind};
  draft.formula = exclusive ? "$y[i] = sum over k < i of $x[k]" : "$y[i] = sum over k <= i of $x[k]";
  draft.notes = {exclusive ? "the scan is exclusive: $y[0] is 0"
                           : "the scan is inclusive: $y[i] counts $x[i] too"};
  draft.sizes = {{"n", n}};
  const tasks::Domain domain = type == tasks::NumberType::kInt32 ? whole_numbers(-100, 100) : normal(0.25);
  draft.inputs = {{"x", type, {n}, {"n"}, domain, {}}};
  draft.outputs = {{"y", type, {n}, {"n"}, {}, {1e-3, 2e-5}}};
  draft.oracle = {"prefix_sum", {{"inclusive", !exclusive}}, ""};
  draft.solutions = vector_scan_solutions(type, exclusive, n, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_prefix_sum_vector;
const GymFamily kFamily_prefix_sum_vector = {"prefix_sum_vector", "scans", draw_prefix_sum_vector};

}  // namespace cuset::gym
