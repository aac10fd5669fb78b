#include "ops/dropout.h"

#include "base/error.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

Dropout make_dropout(int64_t rows, double probability, torch::Device device = torch::kCPU) {
  std::vector<int64_t> keys;
  for (int64_t row = 0; row < rows; ++row)
    keys.push_back(dropout_key(uint64_t{1} << 33 | 5, static_cast<uint64_t>(row)));
  return {probability, 0x123456789abcdef0, torch::tensor(keys, torch::kInt64).to(device)};
}

TEST(Dropout, EqualsTheReferenceElementByElement) {
  for (const int64_t width : {1, 7, 8, 127, 128, 129, 704}) {
    const Dropout dropout = make_dropout(37, 0.3);
    const auto x = torch::randn({37, width});
    const auto factors = dropout_factors_reference(dropout, 3, width);
    EXPECT_TRUE(torch::equal(drop(x, dropout, 3), x * factors)) << width;
    auto in_place = x.clone();
    drop_(in_place, dropout, 3);
    EXPECT_TRUE(torch::equal(in_place, x * factors)) << width;
    const auto wide = x.to(torch::kFloat64);
    EXPECT_TRUE(torch::equal(drop(wide, dropout, 3), wide * factors)) << width;
  }
}

TEST(Dropout, DropsTheShareItIsAskedFor) {
  const auto factors = dropout_factors_reference(make_dropout(400, 0.05), 0, 1000);
  const double kept = (factors != 0).to(torch::kFloat64).mean().item<double>();
  EXPECT_NEAR(kept, 0.95, 4 * std::sqrt(0.05 * 0.95 / 400000));  // four standard deviations
  EXPECT_FLOAT_EQ(factors.max().item<float>(), 1 / 0.95f);
}

TEST(Dropout, RowsAndModulesHaveMasksOfTheirOwn) {
  const Dropout dropout = make_dropout(2, 0.5);
  const auto first = dropout_factors_reference(dropout, 0, 4096);
  const auto second = dropout_factors_reference(dropout, 1, 4096);
  const auto agreement = [](const torch::Tensor& a, const torch::Tensor& b) {
    return (a == b).to(torch::kFloat64).mean().item<double>();
  };
  EXPECT_NEAR(agreement(first, second), 0.5, 0.03);
  EXPECT_NEAR(agreement(first[0], first[1]), 0.5, 0.04);
}

TEST(Dropout, MaskFollowsTheTokenNotTheRow) {
  const Dropout dropout = make_dropout(6, 0.5);
  Dropout moved = dropout;
  moved.row_keys = dropout.row_keys.flip(0);
  const auto x = torch::ones({6, 100});
  EXPECT_TRUE(torch::equal(drop(x, dropout, 2).flip(0), drop(x, moved, 2)));
}

TEST(Dropout, NothingIsDroppedAtZero) {
  const auto x = torch::randn({3, 5});
  EXPECT_TRUE(torch::equal(drop(x, {}, 0), x));
}

TEST(Dropout, AKeyPerRowIsWanted) {
  EXPECT_THROW(drop(torch::ones({4, 3}), make_dropout(3, 0.5), 0), base::CheckFailure);
}

TEST(DropoutGpu, MaskEqualsTheCpuBitForBit) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const int64_t width : {1, 7, 8, 129, 3584}) {
    for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
      const Dropout on_cpu = make_dropout(67, 0.05);
      const auto x = torch::randn({67, width}).to(type);
      const auto wanted = (x.to(torch::kFloat32) * dropout_factors_reference(on_cpu, 9, width)).to(type);
      const auto y = drop(x.to(torch::kCUDA), make_dropout(67, 0.05, torch::kCUDA), 9);
      EXPECT_TRUE(torch::equal(y.to(torch::kCPU), wanted)) << width;
    }
  }
}

}  // namespace
}  // namespace cuset::ops
