#include "ops/cpu/tile_loops.h"

#include "ops/cpu/loop_sets.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

std::vector<const LoopSet*> every_set() {
  const LoopSetList list = all_loop_sets();
  return {list.sets, list.sets + list.count};
}

torch::Tensor wide(const torch::Tensor& x) { return x.to(torch::kFloat64); }
float* data(const torch::Tensor& x) { return x.data_ptr<float>(); }

// c with the product of a [rows, inner] and b [inner, columns], a by rows or by columns.
torch::Tensor with_product(const LoopSet& set, const torch::Tensor& a, const torch::Tensor& b,
                           const torch::Tensor& c, bool add, const torch::Tensor& factors = {}) {
  auto y = c.clone();
  set.tile.product({a.size(0), a.size(1), b.size(1), data(a), a.stride(0), a.stride(1), data(b), b.stride(0),
                    data(y), y.stride(0), add, factors.defined() ? data(factors) : nullptr});
  return y;
}

TEST(TileLoops, ProductsEqualTheReference) {
  torch::manual_seed(1);
  for (const LoopSet* set : every_set()) {
    for (const int64_t columns : {16, 32, 48, 64, 80, 128}) {
      for (const int64_t inner : {1, 7, 48, 130}) {
        const auto by_rows = torch::randn({24, inner}), b = torch::randn({inner, columns});
        const auto by_columns = by_rows.t().contiguous().t();
        const auto c = torch::randn({24, columns}), factors = torch::randn({columns});
        const auto product = wide(by_rows).matmul(wide(b));
        for (const auto& a : {by_rows, by_columns}) {
          EXPECT_LT(support::relative_error(with_product(*set, a, b, c, false), product), 1e-6) << set->name;
          EXPECT_LT(support::relative_error(with_product(*set, a, b, c, true), product + c), 1e-6);
          EXPECT_LT(
              support::relative_error(with_product(*set, a, b, c, true, factors), product + c * factors),
              1e-6);
        }
      }
    }
  }
}

// Two tiles, one after the other, against all scores at once. Those hidden in the first count nothing.
TEST(TileLoops, FoldedScoresAreSoftmax) {
  torch::manual_seed(2);
  for (const LoopSet* set : every_set()) {
    auto scores = torch::randn({35, kTileQueries}) * 40;
    scores.narrow(0, 0, 20).narrow(1, 0, 5).fill_(-INFINITY);
    const auto wanted = (wide(scores) * std::log(2.0)).softmax(0);
    auto largest = torch::full({kTileQueries}, -3e38), sums = torch::zeros({kTileQueries});
    auto factors = torch::empty({kTileQueries}), folded = scores.clone();
    set->tile.fold_scores({data(folded), 20, data(largest), data(sums), data(factors)});
    set->tile.fold_scores({data(folded) + 20 * kTileQueries, 15, data(largest), data(sums), data(factors)});
    folded.narrow(0, 0, 20).mul_(factors);
    EXPECT_LT(support::relative_error(folded / sums, wanted), 1e-6) << set->name;
    EXPECT_EQ((folded.narrow(0, 0, 20).narrow(1, 0, 5) != 0).sum().item<int64_t>(), 0) << set->name;
    EXPECT_TRUE(torch::equal(largest, std::get<0>(scores.max(0)))) << set->name;
  }
}

TEST(TileLoops, GradientsOfScoresEqualTheFormula) {
  torch::manual_seed(3);
  for (const LoopSet* set : every_set()) {
    const auto scores = torch::randn({11, kTileQueries}) * 5, log_sums = std::get<0>(scores.max(0)) + 2;
    const auto gradients = torch::randn({11, kTileQueries}), means = torch::randn({kTileQueries});
    auto weights = scores.clone(), found = gradients.clone();
    set->tile.score_gradients({data(weights), data(found), 11, data(log_sums), data(means)});
    const auto wanted = ((wide(scores) - log_sums) * std::log(2.0)).exp();
    EXPECT_LT(support::relative_error(weights, wanted), 1e-6) << set->name;
    EXPECT_LT(support::relative_error(found, wanted * (wide(gradients) - means)), 1e-6) << set->name;
  }
}

}  // namespace
}  // namespace cuset::ops
