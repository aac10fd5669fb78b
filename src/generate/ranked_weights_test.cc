#include "generate/ranked_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stats/random.h"

namespace cuset::generate {
namespace {

TEST(RankedWeights, EqualWeightsStandInOrderOfTheirIndices) {
  const std::vector<float> weights = {0.25f, 1, 0.25f, 0, 0.25f, 1};
  RankedWeights ranked(weights);
  std::vector<size_t> order;
  for (size_t rank = 0; rank < weights.size(); ++rank) order.push_back(ranked.index_at(rank));
  EXPECT_EQ(order, (std::vector<size_t>{1, 5, 0, 2, 4, 3}));
  EXPECT_EQ(ranked.count_at_least(0.25f), 5u);
  EXPECT_EQ(ranked.count_at_least(0.26f), 2u);
  EXPECT_EQ(ranked.count_at_least(0), 6u);
  EXPECT_EQ(ranked.count_at_least(1.5f), 0u);
  EXPECT_EQ(ranked.mass_of(3), 2.25);
  EXPECT_EQ(ranked.count_above(0), 1u);
  EXPECT_EQ(ranked.count_above(2), 3u);
  EXPECT_EQ(ranked.count_above(2.74), 5u);
  EXPECT_EQ(ranked.count_above(2.75), 7u) << "no count has more";
}

// Against a full sort, for weights that are alike, far apart, or all the same.
TEST(RankedWeights, AnswersLikeASortedList) {
  base::RandomStream random(7, "weights");
  for (const double spread : {0.0, 0.1, 3.0, 40.0}) {
    std::vector<float> weights(2048);
    for (float& weight : weights) weight = static_cast<float>(std::exp(-spread * random.uniform()));
    weights[random.below(weights.size())] = 1;
    std::vector<size_t> order(weights.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weights[a] > weights[b]; });
    RankedWeights ranked(weights);
    double mass = 0;
    for (size_t rank = 0; rank < order.size(); ++rank) {
      ASSERT_EQ(ranked.index_at(rank), order[rank]) << spread;
      ASSERT_EQ(ranked.weight_at(rank), weights[order[rank]]);
      ASSERT_NEAR(ranked.mass_of(rank), mass, 1e-9);
      const double weight = weights[order[rank]];
      // Sums of another order differ by more than the smallest weights.
      if (weight > 1e-12) {
        ASSERT_EQ(ranked.count_above(mass + weight / 2), rank + 1);
      }
      mass += weight;
    }
    EXPECT_NEAR(ranked.mass_of(order.size()), mass, 1e-9);
  }
}

}  // namespace
}  // namespace cuset::generate
