#include "ops/attention.h"

#include "base/error.h"
#include "ops/device/determinism.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

struct Shape {
  std::vector<int64_t> lengths;
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
};

void compare(const support::Place& place, const Shape& shape) {
  torch::manual_seed(8);
  const Segments segments = make_segments(shape.lengths, place.device);
  const Segments on_cpu = make_segments(shape.lengths, torch::kCPU);
  const auto draw = [&](int64_t heads) {
    return torch::randn({segments.tokens(), heads, shape.dim}, torch::kFloat64).to(place.device, place.type);
  };
  std::vector<torch::Tensor> inputs = {draw(shape.heads), draw(shape.kv_heads), draw(shape.kv_heads)};
  std::vector<torch::Tensor> oracles;
  for (auto& input : inputs) {
    oracles.push_back(input.to(torch::kCPU, torch::kFloat64).clone().requires_grad_());
    input.requires_grad_();
  }
  const double scale = 1 / std::sqrt(static_cast<double>(shape.dim));
  const auto y = attention(inputs[0], inputs[1], inputs[2], segments, scale);
  const auto wanted = attention_reference(oracles[0], oracles[1], oracles[2], on_cpu, scale);
  EXPECT_EQ(y.sizes(), inputs[0].sizes());
  EXPECT_LT(support::relative_error(y, wanted), place.limit);
  const auto dy = draw(shape.heads);
  y.backward(dy);
  wanted.backward(dy.to(torch::kCPU, torch::kFloat64));
  // In units of the values' gradient: those of queries and keys vanish in samples of one token.
  for (size_t i = 0; i < 3; ++i)
    EXPECT_LT(support::relative_error(inputs[i].grad(), oracles[i].grad(), oracles[2].grad()), place.limit)
        << i;
}

TEST(Attention, ValuesAndGradientsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) {
    compare(place, {{7}, 4, 4, 8});
    compare(place, {{1, 5, 3}, 4, 2, 16});
    compare(place, {{2, 40}, 6, 1, 10});
  }
}

TEST(Attention, SamplesDoNotSeeEachOther) {
  const Segments segments = make_segments({4, 3}, torch::kCPU);
  auto q = torch::randn({7, 2, 8});
  auto k = torch::randn({7, 2, 8});
  auto v = torch::randn({7, 2, 8});
  const auto before = attention(q, k, v, segments, 1.0);
  for (auto* x : {&q, &k, &v}) x->narrow(0, 0, 4).add_(1);
  const auto after = attention(q, k, v, segments, 1.0);
  EXPECT_TRUE(torch::equal(before.narrow(0, 4, 3), after.narrow(0, 4, 3)));
  EXPECT_FALSE(torch::equal(before.narrow(0, 0, 4), after.narrow(0, 0, 4)));
}

TEST(Attention, WrongShapesAreRefused) {
  const Segments segments = make_segments({3}, torch::kCPU);
  const auto x = torch::ones({3, 2, 4});
  EXPECT_THROW(attention(torch::ones({4, 2, 4}), x, x, segments, 1), base::CheckFailure);
  EXPECT_THROW(attention(torch::ones({3, 3, 4}), x, x, segments, 1), base::CheckFailure);
  EXPECT_THROW(make_segments({3, 0}, torch::kCPU), base::CheckFailure);
}

TEST(AttentionGpu, ValuesAndGradientsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare(place, {{130}, 4, 4, 64});
    compare(place, {{257}, 28, 4, 128});           // one sample: cuDNN
    compare(place, {{1, 130, 64, 3}, 8, 2, 128});  // several: variable lengths
    compare(place, {{1}, 4, 2, 128});
    compare(place, {{5, 9}, 4, 2, 20});  // no fused kernel has this width
  }
}

TEST(AttentionGpu, SameBitsInEveryRunWhereWanted) {
  CUSET_SKIP_WITHOUT_GPU();
  set_deterministic_operations(true);
  for (const std::vector<int64_t>& lengths : {std::vector<int64_t>{2048}, {700, 1300, 48}}) {
    const Segments segments = make_segments(lengths, torch::kCUDA);
    const auto draw = [&](int64_t heads) {
      return torch::randn({segments.tokens(), heads, 128}, torch::kCUDA).to(torch::kBFloat16);
    };
    const std::vector<torch::Tensor> values = {draw(8), draw(2), draw(2), draw(8)};
    std::vector<torch::Tensor> first;
    for (int repetition = 0; repetition < 5; ++repetition) {
      std::vector<torch::Tensor> inputs;
      for (size_t i = 0; i < 3; ++i) inputs.push_back(values[i].clone().requires_grad_());
      attention(inputs[0], inputs[1], inputs[2], segments, 0.1).backward(values[3]);
      for (size_t i = 0; i < 3; ++i) {
        if (repetition == 0) first.push_back(inputs[i].grad());
        EXPECT_TRUE(torch::equal(inputs[i].grad(), first[i])) << i;
      }
    }
  }
  set_deterministic_operations(false);
}

}  // namespace
}  // namespace cuset::ops
