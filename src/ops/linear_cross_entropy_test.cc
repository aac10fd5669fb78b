#include "ops/linear_cross_entropy.h"

#include "base/error.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

struct Problem {
  torch::Tensor hidden;     // [rows, width]
  torch::Tensor weight;     // [vocab, width]
  torch::Tensor targets;    // [rows]
  torch::Tensor reference;  // [rows, width]
};

Problem draw(int64_t rows, int64_t width, int64_t vocab, const support::Place& place) {
  torch::manual_seed(9);
  return {
      torch::randn({rows, width}).to(place.device, place.type),
      (torch::randn({vocab, width}) / std::sqrt(static_cast<double>(width)) * 2).to(place.device, place.type),
      torch::randint(vocab, {rows}, torch::kInt64).to(place.device),
      torch::randn({rows, width}).to(place.device, place.type)};
}

Problem in_float64(const Problem& problem) {
  const auto wide = [](const torch::Tensor& x) { return x.to(torch::kCPU, torch::kFloat64); };
  return {wide(problem.hidden), wide(problem.weight), problem.targets.to(torch::kCPU),
          wide(problem.reference)};
}

void expect_near(const torch::Tensor& value, const torch::Tensor& wanted, double limit) {
  const auto difference = (value.to(torch::kCPU, torch::kFloat64) - wanted.to(torch::kFloat64)).abs().max();
  EXPECT_LT(difference.item<double>(), limit);
}

void compare(const Problem& problem, const support::Place& place, int64_t chunk_rows, bool with_reference,
             double temperature = 1) {
  LinearCrossEntropyOptions options{.gradient = true, .entropy = true, .chunk_rows = chunk_rows};
  options.temperature = temperature;
  if (temperature != 1) options.entropy_tokens = 0;
  if (with_reference) options.reference_hidden = problem.reference;
  const LinearCrossEntropy rows =
      linear_cross_entropy(problem.hidden, problem.weight, problem.targets, options);
  const Problem wide = in_float64(problem);
  if (with_reference) options.reference_hidden = wide.reference;
  const LinearCrossEntropy wanted =
      linear_cross_entropy_reference(wide.hidden, wide.weight, wide.targets, options);
  // Logits of half types are rounded before the softmax.
  const double absolute = place.type == torch::kBFloat16 ? 0.06 : place.limit * 20;
  expect_near(rows.log_probability, wanted.log_probability, absolute);
  expect_near(rows.best_log_probability, wanted.best_log_probability, absolute);
  expect_near(rows.entropy, wanted.entropy, absolute);
  EXPECT_LT(support::relative_error(rows.hidden_gradient, wanted.hidden_gradient), place.limit);
  if (!with_reference) return;
  expect_near(rows.divergence, wanted.divergence, absolute);
  EXPECT_LT(support::relative_error(rows.divergence_gradient, wanted.divergence_gradient), place.limit);
}

TEST(LinearCrossEntropy, ATemperatureDividesTheLogitsOfBothSides) {
  for (const support::Place& place : support::cpu_places()) {
    const Problem problem = draw(13, 24, 50, place);
    for (const double temperature : {0.5, 2.0}) compare(problem, place, 5, true, temperature);
  }
}

TEST(LinearCrossEntropy, TheEntropyOfAllTokensIsThatOfTheWholeSoftmax) {
  const auto hidden = torch::zeros({1, 1});
  const auto weight = torch::ones({64, 1});
  LinearCrossEntropyOptions options{.gradient = false, .entropy = true};
  const auto targets = torch::zeros({1}, torch::kInt64);
  EXPECT_NEAR(linear_cross_entropy(hidden, weight, targets, options).entropy.item<double>(), std::log(20),
              1e-5);
  options.entropy_tokens = 0;
  EXPECT_NEAR(linear_cross_entropy(hidden, weight, targets, options).entropy.item<double>(), std::log(64),
              1e-5);
}

TEST(LinearCrossEntropy, MetricsAndGradientsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) {
    const Problem problem = draw(13, 24, 50, place);
    for (const int64_t chunk_rows : {0, 1, 5, 13, 100})
      compare(problem, place, chunk_rows, chunk_rows % 2 == 1);
  }
  for (const int64_t vocab : {2, 7, 17, 2048}) {
    const support::Place place = support::cpu_places()[1];
    compare(draw(70, 24, vocab, place), place, 0, false);
  }
}

TEST(LinearCrossEntropy, FindsTheLikeliestToken) {
  const auto hidden = torch::eye(3);
  const auto weight = torch::tensor({{5.0f, 0.0f, 1.0f}, {0.0f, 5.0f, 1.0f}});
  const LinearCrossEntropy rows =
      linear_cross_entropy(hidden, weight, torch::tensor({0, 0, 1}, torch::kInt64));
  EXPECT_TRUE(
      torch::equal(rows.log_probability == rows.best_log_probability, torch::tensor({true, false, true})));
  EXPECT_TRUE(torch::equal(rows.is_likeliest, torch::tensor({true, false, false})));  // of two, the first is
  EXPECT_NEAR(rows.log_probability[2].item<float>(), std::log(0.5), 1e-6);
}

// Logits that are all equal, as of a model whose weights have collapsed.
TEST(LinearCrossEntropy, OfEqualTokensOnlyTheFirstIsTheLikeliest) {
  for (const support::Place& place : support::cpu_places()) {
    for (const bool gradient : {false, true}) {
      const auto hidden = torch::ones({3, 4}).to(place.device, place.type);
      const auto weight = torch::ones({40, 4}).to(place.device, place.type);
      const auto targets = torch::tensor({0, 1, 39}, torch::kInt64);
      const auto rows = linear_cross_entropy(hidden, weight, targets, {.gradient = gradient});
      EXPECT_TRUE(torch::equal(rows.is_likeliest, torch::tensor({true, false, false})));
    }
  }
}

TEST(LinearCrossEntropy, EntropyOfFewTokensIsThatOfAll) {
  const auto hidden = torch::zeros({1, 4});
  const LinearCrossEntropy rows = linear_cross_entropy(
      hidden, torch::randn({7, 4}), torch::zeros({1}, torch::kInt64), {.gradient = false, .entropy = true});
  EXPECT_NEAR(rows.entropy[0].item<float>(), std::log(7.0), 1e-6);
  EXPECT_FALSE(rows.hidden_gradient.defined());
}

TEST(LinearCrossEntropy, NoRowsAreFine) {
  const LinearCrossEntropy rows =
      linear_cross_entropy(torch::empty({0, 4}), torch::randn({7, 4}), torch::empty({0}, torch::kInt64));
  EXPECT_EQ(rows.log_probability.numel(), 0);
  EXPECT_EQ(rows.hidden_gradient.sizes(), (std::vector<int64_t>{0, 4}));
}

TEST(LinearCrossEntropy, WeightGradientEqualsAutograd) {
  for (const support::Place& place : support::cpu_places()) {
    const Problem problem = draw(11, 8, 20, place);
    const Problem wide = in_float64(problem);
    const auto loss_weights = torch::rand({11});
    const Parameter weight = support::trained(problem.weight);
    add_head_weight_gradient(problem.hidden, weight, problem.targets, {loss_weights, torch::full({11}, 0.25)},
                             {.reference_hidden = problem.reference, .chunk_rows = 4});
    auto w = wide.weight.clone().requires_grad_();
    const auto log_p = torch::matmul(wide.hidden, w.t()).log_softmax(1);
    const auto log_q = torch::matmul(wide.reference, wide.weight.t()).log_softmax(1);
    const auto losses = -log_p.gather(1, wide.targets.unsqueeze(1)).squeeze(1) * loss_weights;
    const auto divergence = (log_q.exp() * (log_q - log_p)).sum(1);
    (losses.sum() + 0.25 * divergence.sum()).backward();
    EXPECT_LT(support::relative_error(weight.gradient, w.grad()), place.limit);
  }
}

TEST(LinearCrossEntropy, NonFiniteLogitsShow) {
  auto hidden = torch::ones({2, 4});
  hidden[1][2] = NAN;
  const LinearCrossEntropy rows =
      linear_cross_entropy(hidden, torch::randn({7, 4}), torch::zeros({2}, torch::kInt64));
  EXPECT_TRUE(std::isfinite(rows.log_probability[0].item<float>()));
  EXPECT_TRUE(std::isnan(rows.log_probability[1].item<float>()));
}

TEST(LinearCrossEntropyGpu, MetricsAndGradientsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    for (const int64_t vocab : {2, 50, 2048, 32256, 50257, 128256, 152064}) {
      compare(draw(19, 64, vocab, place), place, 0, vocab == 2048);
    }
    compare(draw(5, 64, 400001, place), place, 0, false);  // a row that no block's shared memory holds
    compare(draw(300, 16, 1000, place), place, 7, false);
  }
}

// Rows that one block holds, that a cluster holds and that are read twice; the rivals are far from the target.
TEST(LinearCrossEntropyGpu, OfEqualTokensOnlyTheFirstIsTheLikeliest) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    for (const int64_t vocab : {int64_t{40}, int64_t{151937}, int64_t{400000}}) {
      const auto options = torch::TensorOptions(torch::kCUDA).dtype(type);
      const auto targets = torch::tensor({int64_t{0}, int64_t{1}, vocab - 1}, torch::kInt64).to(torch::kCUDA);
      const auto rows =
          linear_cross_entropy(torch::ones({3, 4}, options), torch::ones({vocab, 4}, options), targets);
      EXPECT_TRUE(torch::equal(rows.is_likeliest.cpu(), torch::tensor({true, false, false}))) << vocab;
    }
  }
}

TEST(LinearCrossEntropyGpu, NonFiniteLogitsShow) {
  CUSET_SKIP_WITHOUT_GPU();
  auto hidden = torch::ones({3, 8}, torch::kCUDA).to(torch::kBFloat16);
  hidden[1][2] = NAN;
  hidden[2][2] = INFINITY;
  const auto weight = torch::ones({152064, 8}, torch::kCUDA).to(torch::kBFloat16);
  const auto log_p = linear_cross_entropy(hidden, weight,
                                          torch::zeros({3}, torch::device(torch::kCUDA).dtype(torch::kInt64)))
                         .log_probability.to(torch::kCPU);
  EXPECT_TRUE(std::isfinite(log_p[0].item<float>()));
  EXPECT_TRUE(std::isnan(log_p[1].item<float>()));
  EXPECT_TRUE(std::isnan(log_p[2].item<float>()));
}

}  // namespace
}  // namespace cuset::ops
