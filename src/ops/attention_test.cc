#include "ops/attention.h"

#include <ATen/Parallel.h>

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
  int64_t window = 0;
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
  const AttentionScores scores(1 / std::sqrt(static_cast<double>(shape.dim)), shape.window);
  const auto y = attention(inputs[0], inputs[1], inputs[2], segments, scores);
  const auto wanted = attention_reference(oracles[0], oracles[1], oracles[2], on_cpu, scores);
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

TEST(Attention, WindowsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) {
    compare(place, {{7}, 4, 4, 8, 1});
    compare(place, {{1, 5, 3}, 4, 2, 16, 4});
    compare(place, {{9, 10, 11, 30}, 4, 2, 16, 10});
    compare(place, {{300, 40, 129}, 2, 1, 10, 33});   // several blocks of queries
    compare(place, {{450, 150, 10}, 2, 1, 10, 140});  // blocks of the window's size
  }
}

// Tiles of 48 queries and of 96 or 48 keys: less than one, whole ones, a few tokens more.
TEST(Attention, TilesEqualTheReference) {
  const support::Place place{torch::kCPU, torch::kFloat32, 2e-6};
  compare(place, {{1, 31, 33, 500}, 4, 4, 32});
  compare(place, {{47, 48, 49, 95, 96, 97}, 4, 2, 64});
  compare(place, {{200, 7, 150}, 8, 2, 80});
  compare(place, {{130, 3}, 7, 1, 128});
  compare(place, {{101}, 2, 1, 260});
  for (const int64_t window : {1, 8, 47, 48, 49, 100, 499}) compare(place, {{500, 60}, 4, 2, 32, window});
}

// y and the gradients of q, k and v.
std::vector<torch::Tensor> attended(const std::vector<torch::Tensor>& values, const Segments& segments,
                                    int64_t window = 0) {
  std::vector<torch::Tensor> inputs;
  for (size_t i = 0; i < 3; ++i) inputs.push_back(values[i].clone().requires_grad_());
  const auto y = attention(inputs[0], inputs[1], inputs[2], segments, {0.2, window});
  y.backward(values[3]);
  return {y.detach(), inputs[0].grad(), inputs[1].grad(), inputs[2].grad()};
}

std::vector<torch::Tensor> some_values(int64_t tokens) {
  const auto draw = [&](int64_t heads) { return torch::randn({tokens, heads, 32}); };
  return {draw(4), draw(2), draw(2), draw(4)};
}

TEST(Attention, SameBitsWithAnyNumberOfThreads) {
  torch::manual_seed(10);
  const auto values = some_values(1000);
  const Segments segments = make_segments({700, 20, 280}, torch::kCPU);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto wanted = attended(values, segments);
  for (const int threads : {2, 3}) {
    at::set_num_threads(threads);
    const auto found = attended(values, segments);
    for (size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(torch::equal(found[i], wanted[i])) << threads << i;
  }
  at::set_num_threads(before);
}

TEST(Attention, APackHasTheBitsOfItsSamples) {
  torch::manual_seed(11);
  const std::vector<int64_t> lengths = {70, 1, 131};
  const Segments segments = make_segments(lengths, torch::kCPU);
  const auto values = some_values(segments.tokens());
  const auto together = attended(values, segments, 60);
  for (size_t sample = 0; sample < lengths.size(); ++sample) {
    const auto own = [&](const torch::Tensor& x) {
      return x.narrow(0, segments.borders[sample], lengths[sample]);
    };
    std::vector<torch::Tensor> parts;
    for (const auto& value : values) parts.push_back(own(value));
    const auto alone = attended(parts, make_segments({lengths[sample]}, torch::kCPU), 60);
    for (size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(own(together[i]), alone[i])) << i;
  }
}

// A broken number must show, and must not reach what is before it.
TEST(Attention, NotANumberReachesTheTokensThatSeeIt) {
  for (const float broken : {NAN, INFINITY, -INFINITY}) {
    for (const size_t input : {0, 1}) {
      torch::manual_seed(12);
      auto values = some_values(200);
      values[input][130][1][5] = broken;
      const Segments segments = make_segments({200}, torch::kCPU);
      const auto y = attended(values, segments)[0];
      const auto wanted = attention_reference(values[0], values[1], values[2], segments, 0.2);
      EXPECT_TRUE(torch::equal(y.isfinite(), wanted.isfinite())) << broken << " in input " << input;
      EXPECT_TRUE(wanted.isnan().any().item<bool>()) << broken << " in input " << input;
    }
  }
}

// Scores that lie far apart: most weights are 0.
TEST(Attention, LargeScoresEqualTheReference) {
  torch::manual_seed(13);
  auto values = some_values(300);
  for (size_t i = 0; i < 2; ++i) values[i] *= 30;
  const Segments segments = make_segments({300}, torch::kCPU);
  const auto y = attended(values, segments)[0];
  std::vector<torch::Tensor> wide;
  for (const auto& value : values) wide.push_back(value.to(torch::kFloat64));
  const auto wanted = attention_reference(wide[0], wide[1], wide[2], segments, 0.2);
  EXPECT_LT(support::relative_error(y, wanted),
            2e-4);  // scores of thousands have few digits behind the point
}

// Written without a mask: what a token gives is what attention over the last tokens alone gives.
TEST(Attention, AWindowIsTheLastTokensWithItself) {
  torch::manual_seed(9);
  const auto q = torch::randn({20, 2, 8}, torch::kFloat64), k = torch::randn({20, 1, 8}, torch::kFloat64),
             v = torch::randn({20, 1, 8}, torch::kFloat64);
  const auto y = attention(q, k, v, make_segments({20}, torch::kCPU), {0.3, 6});
  for (int64_t t = 0; t < 20; ++t) {
    const int64_t first = std::max<int64_t>(0, t - 5), count = t + 1 - first;
    const auto alone =
        attention_reference(q.narrow(0, first, count), k.narrow(0, first, count), v.narrow(0, first, count),
                            make_segments({count}, torch::kCPU), 0.3);
    EXPECT_LT(support::relative_error(y[t], alone[count - 1]), 1e-12) << t;
  }
}

TEST(Attention, FlashAttentionIsToldTheTokensBefore) {
  EXPECT_TRUE(flash_window({1.0, 0}, 100).is_causal);
  EXPECT_TRUE(flash_window({1.0, 100}, 100).is_causal);
  const FlashWindow window = flash_window({1.0, 99}, 100);
  EXPECT_FALSE(window.is_causal);
  EXPECT_EQ(window.left, 98);
  EXPECT_EQ(window.right, 0);
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

TEST(AttentionGpu, WindowsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare(place, {{257}, 28, 4, 128, 64});
    compare(place, {{1, 130, 64, 300}, 8, 2, 128, 100});
    compare(place, {{40}, 4, 2, 64, 1});
    compare(place, {{5, 200}, 4, 2, 20, 7});
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
