#include "objective/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"

namespace cuset::objective {
namespace {

constexpr int64_t kWidth = 5;
constexpr int64_t kVocabulary = 30;
const Method kMethods[] = {Method::kSft,    Method::kDft,  Method::kEaft,
                           Method::kProFit, Method::kAsft, Method::kCuset};

struct Pack {
  ObjectiveInput input;
  SupervisedRows rows;
};

ObjectiveSettings settings_of(Method method) {
  ObjectiveSettings settings;
  settings.method = method;
  settings.window = 4;
  settings.tau = 0.03;
  settings.lambda = 0.7;
  return settings;
}

// Samples of these numbers of supervised tokens, each behind a prompt of two tokens.
Pack random_pack(const std::vector<int64_t>& lengths, torch::ScalarType type = torch::kFloat64) {
  torch::manual_seed(7);
  std::vector<int64_t> positions;
  int64_t tokens = 0;
  Pack pack;
  for (const int64_t length : lengths) {
    for (int64_t i = 0; i < length; ++i) positions.push_back(tokens + 1 + i);
    tokens += 2 + length;
    pack.rows.borders.push_back(static_cast<int64_t>(positions.size()));
  }
  const int64_t rows = pack.rows.borders.back();
  pack.input.hidden = torch::randn({tokens, kWidth}, torch::kFloat64).to(type);
  pack.input.reference_hidden = torch::randn({tokens, kWidth}, torch::kFloat64).to(type);
  pack.input.head.value = torch::randn({kVocabulary, kWidth}, torch::kFloat64).to(type);
  pack.rows.positions = torch::tensor(positions, torch::kInt64);
  pack.rows.targets = torch::randint(kVocabulary, {rows}, torch::kInt64);
  pack.rows.is_cuda = torch::rand({rows}) < 0.5;
  pack.rows.data_weights = torch::rand({pack.rows.samples()}) + 0.5;
  return pack;
}

ObjectiveResult evaluate(const ObjectiveSettings& settings, Pack pack) {
  if (!settings.needs_reference()) pack.input.reference_hidden.reset();
  return evaluate_objective(settings, pack.input, pack.rows);
}

torch::Tensor log_probabilities(const Pack& pack, const torch::Tensor& hidden) {
  return hidden.index_select(0, pack.rows.positions).matmul(pack.input.head.value.t()).log_softmax(1);
}

// sum(W CE) + sum(alpha KL) over full logits. The weights and the reference's log-probabilities [rows, vocab]
// are held fixed.
double plain_loss(const Pack& pack, const ObjectiveResult& weights, const torch::Tensor& reference) {
  const auto policy = log_probabilities(pack, pack.input.hidden);
  auto loss = -(weights.row_weight * policy.gather(1, pack.rows.targets.unsqueeze(1)).squeeze(1)).sum();
  if (weights.divergence_weight.defined()) {
    loss = loss + (weights.divergence_weight * (reference.exp() * (reference - policy)).sum(1)).sum();
  }
  return loss.item<double>();
}

// The slope of `loss` in every entry of `x`, which it reads.
torch::Tensor finite_differences(const torch::Tensor& x, const std::function<double()>& loss) {
  constexpr double step = 1e-5;
  auto slopes = torch::zeros_like(x);
  double* value = x.data_ptr<double>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double middle = value[i];
    value[i] = middle + step;
    const double above = loss();
    value[i] = middle - step;
    slopes.data_ptr<double>()[i] = (above - loss()) / (2 * step);
    value[i] = middle;
  }
  return slopes;
}

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

void expect_near(const torch::Tensor& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.numel(), static_cast<int64_t>(wanted.size()));
  EXPECT_LT(largest_difference(found.to(torch::kFloat64).flatten(), torch::tensor(wanted, torch::kFloat64)),
            1e-12)
      << found;
}

// Two words and the identity for a head: the hidden states are the logarithms of their probabilities.
Pack pack_by_hand() {
  Pack pack;
  pack.input.hidden = torch::tensor({{0.5, 0.5}, {0.75, 0.25}, {0.75, 0.25}}, torch::kFloat64).log();
  pack.input.head.value = torch::eye(2, torch::kFloat64);
  pack.rows.positions = torch::tensor({1, 2}, torch::kInt64);
  pack.rows.targets = torch::tensor({0, 1}, torch::kInt64);
  pack.rows.is_cuda = torch::tensor({false, true});
  pack.rows.borders = {0, 2};
  pack.rows.data_weights = torch::ones({1});
  return pack;
}

TEST(Objective, CusetByHand) {
  ObjectiveSettings settings;
  settings.tau = 0.5;
  settings.lambda = 2;
  settings.window = 1;
  const auto result = evaluate(settings, pack_by_hand());
  // The lowest window is the second token alone, p = 0.25: w_n = 0.75.
  expect_near(result.sample_weights, {0.75});
  EXPECT_EQ(result.lowest_window.item<int64_t>(), 1);
  expect_near(result.row_weight, {0.75, 1.5});
  expect_near(result.row_loss, {-0.75 * std::log(0.75), -1.5 * std::log(0.25)});
  expect_near(result.loss_sum, {-0.75 * std::log(0.75) - 1.5 * std::log(0.25)});
  expect_near(result.hidden_gradient, {0, 0, 0.75 * -0.25, 0.75 * 0.25, 1.5 * 0.75, 1.5 * -0.75});
  expect_near(result.weight_sum, {2.25});
  expect_near(result.cross_entropy_sum, {-std::log(0.75) - std::log(0.25)});
  expect_near(result.confidence_sum, {1});
  expect_near(result.masked_in_sum, {2});
  expect_near(result.correct_sum, {1});
  EXPECT_EQ(result.rows, 2);
  EXPECT_EQ(result.loss_sum.scalar_type(), torch::kFloat64);
}

TEST(Objective, AsftByHand) {
  ObjectiveSettings settings;
  settings.method = Method::kAsft;
  settings.divergence = 0.5;
  Pack pack = pack_by_hand();
  pack.input.reference_hidden = torch::tensor({{0.5, 0.5}, {0.5, 0.5}, {0.75, 0.25}}, torch::kFloat64).log();
  const auto result = evaluate(settings, pack);
  const double divergence = 0.5 * std::log(0.5 / 0.75) + 0.5 * std::log(0.5 / 0.25);
  expect_near(result.row_weight, {0.75, 0.25});
  expect_near(result.row_loss, {-0.75 * std::log(0.75) + 0.5 * divergence, -0.25 * std::log(0.25)});
  expect_near(result.hidden_gradient,
              {0, 0, 0.75 * -0.25 + 0.5 * 0.25, 0.75 * 0.25 - 0.5 * 0.25, 0.25 * 0.75, 0.25 * -0.75});
}

TEST(Objective, SamplesThatNobodyVouchesForGetNoWeightFromTheCudaMask) {
  for (const Method method : {Method::kCuset, Method::kCusetPlus}) {
    ObjectiveSettings settings = settings_of(method);
    settings.confidence_mask = method == Method::kCuset;  // else a refused token would hide the mask
    settings.cuda_mask = true;
    Pack pack = random_pack({3, 5});
    const auto all = evaluate(settings, pack);
    pack.rows.vouched = torch::tensor({true, true});
    EXPECT_TRUE(torch::equal(evaluate(settings, pack).row_weight, all.row_weight));
    pack.rows.vouched = torch::tensor({true, false});
    const auto some = evaluate(settings, pack);
    settings.cuda_mask = false;
    pack.rows.vouched.reset();
    const auto none = evaluate(settings, pack);
    EXPECT_TRUE(torch::equal(some.row_weight.slice(0, 0, 3), all.row_weight.slice(0, 0, 3)));
    EXPECT_TRUE(torch::equal(some.row_weight.slice(0, 3), none.row_weight.slice(0, 3)));
    EXPECT_FALSE(torch::equal(all.row_weight.slice(0, 3), none.row_weight.slice(0, 3)));
  }
}

TEST(Objective, TheWeightOfTheDataMultipliesW) {
  ObjectiveSettings settings = settings_of(Method::kCuset);
  Pack pack = random_pack({3, 5});
  pack.rows.data_weights = torch::ones({2});
  const auto plain = evaluate(settings, pack);
  pack.rows.data_weights = torch::tensor({2.0F, 0.0F});
  const auto weighted = evaluate(settings, pack);
  const auto factors = torch::tensor({2, 2, 2, 0, 0, 0, 0, 0});
  EXPECT_LT(largest_difference(weighted.row_weight, plain.row_weight * factors), 1e-15);
  EXPECT_TRUE(torch::equal(weighted.sample_weights, plain.sample_weights));
  EXPECT_LE(weighted.masked_in_sum.item<double>(), 3);
}

TEST(Objective, ASampleOfNoWeightTeachesNothing) {
  Pack pack = random_pack({3, 5});
  pack.rows.data_weights = torch::tensor({2.0F, 0.0F});
  pack.input.head.gradient = torch::zeros_like(pack.input.head.value);
  const auto result = evaluate(settings_of(Method::kAsft), pack);
  expect_near(result.divergence_weight, {0.2, 0.2, 0.2, 0, 0, 0, 0, 0});
  EXPECT_EQ(result.row_loss.slice(0, 3).abs().sum().item<double>(), 0);
  EXPECT_EQ(result.hidden_gradient.slice(0, 5).abs().sum().item<double>(), 0);
  EXPECT_GT(result.hidden_gradient.abs().sum().item<double>(), 0);
}

class EveryMethod : public testing::TestWithParam<Method> {};

TEST_P(EveryMethod, GradientsMatchFiniteDifferencesWithWHeldFixed) {
  const ObjectiveSettings settings = settings_of(GetParam());
  Pack pack = random_pack({1, 3, 4, 6});
  pack.input.gradient_scale = 0.25;
  pack.input.head.gradient = torch::ones_like(pack.input.head.value);
  const auto result = evaluate(settings, pack);
  const auto reference = log_probabilities(pack, pack.input.reference_hidden);
  const auto loss = [&] { return 0.25 * plain_loss(pack, result, reference); };
  EXPECT_NEAR(0.25 * result.loss_sum.item<double>(), loss(), 1e-12);
  EXPECT_LT(largest_difference(result.hidden_gradient, finite_differences(pack.input.hidden, loss)), 1e-8);
  // Added to what was there.
  EXPECT_LT(largest_difference(pack.input.head.gradient - 1, finite_differences(pack.input.head.value, loss)),
            1e-8);
}

TEST_P(EveryMethod, SamplesSplitOverTwoCallsGiveTheSameSums) {
  const ObjectiveSettings settings = settings_of(GetParam());
  Pack whole = random_pack({2, 9, 4, 1});
  whole.input.head.gradient = torch::zeros_like(whole.input.head.value);
  const int64_t tokens = 4 + 11;  // of the first two samples
  const int64_t rows = 2 + 9;
  Pack parts[] = {whole, whole};
  const auto head_gradient = torch::zeros_like(whole.input.head.value);
  for (int i = 0; i < 2; ++i) {
    const auto half = [&](const torch::Tensor& x, int64_t border) {
      return i == 0 ? x.slice(0, 0, border) : x.slice(0, border);
    };
    auto& [input, part] = parts[i];
    input.head.gradient = head_gradient;
    input.hidden = half(whole.input.hidden, tokens);
    input.reference_hidden = half(whole.input.reference_hidden, tokens);
    part.positions = half(whole.rows.positions, rows) - i * tokens;
    part.targets = half(whole.rows.targets, rows);
    part.is_cuda = half(whole.rows.is_cuda, rows);
    part.data_weights = half(whole.rows.data_weights, 2);
    part.borders = i == 0 ? std::vector<int64_t>{0, 2, 11} : std::vector<int64_t>{0, 4, 5};
  }
  const auto all = evaluate(settings, whole);
  const auto first = evaluate(settings, parts[0]);
  const auto second = evaluate(settings, parts[1]);
  for (const auto sum :
       {&ObjectiveResult::loss_sum, &ObjectiveResult::weight_sum, &ObjectiveResult::cross_entropy_sum,
        &ObjectiveResult::confidence_sum, &ObjectiveResult::masked_in_sum, &ObjectiveResult::correct_sum}) {
    EXPECT_LT(largest_difference(first.*sum + second.*sum, all.*sum), 1e-12);
  }
  EXPECT_LT(
      largest_difference(torch::cat({first.hidden_gradient, second.hidden_gradient}), all.hidden_gradient),
      1e-12);
  EXPECT_LT(largest_difference(head_gradient, whole.input.head.gradient), 1e-12);
  EXPECT_TRUE(torch::equal(torch::cat({first.lowest_window, second.lowest_window}), all.lowest_window));
}

TEST_P(EveryMethod, APackWithoutRowsGivesZeros) {
  const ObjectiveSettings settings = settings_of(GetParam());
  Pack pack = random_pack({0, 0});
  pack.input.head.gradient = torch::zeros_like(pack.input.head.value);
  const auto result = evaluate(settings, pack);
  EXPECT_EQ(result.loss_sum.item<double>(), 0);
  EXPECT_EQ(result.weight_sum.item<double>(), 0);
  EXPECT_EQ(result.correct_sum.item<double>(), 0);
  EXPECT_EQ(result.rows, 0);
  EXPECT_EQ(result.row_loss.numel(), 0);
  EXPECT_EQ(result.sample_weights.numel(), 2);
  EXPECT_TRUE(torch::equal(result.hidden_gradient, torch::zeros_like(pack.input.hidden)));
  EXPECT_EQ(pack.input.head.gradient.abs().sum().item<double>(), 0);
}

TEST_P(EveryMethod, MetricsAloneComeWithoutGradients) {
  const ObjectiveSettings settings = settings_of(GetParam());
  Pack pack = random_pack({3, 8});
  const auto with = evaluate(settings, pack);
  pack.input.gradient = false;
  pack.input.head.gradient = torch::zeros_like(pack.input.head.value);
  const auto without = evaluate(settings, pack);
  EXPECT_FALSE(without.hidden_gradient.defined());
  EXPECT_EQ(pack.input.head.gradient.abs().sum().item<double>(), 0);
  EXPECT_TRUE(torch::equal(with.row_loss, without.row_loss));
}

// float32 and bfloat16 against float64 on the same rounded inputs.
TEST_P(EveryMethod, NarrowTypesStayNearFloat64) {
  const ObjectiveSettings settings = settings_of(GetParam());
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    const Pack pack = random_pack({5, 20, 1}, type);
    Pack wide = pack;
    for (torch::Tensor* tensor : {&wide.input.hidden, &wide.input.reference_hidden, &wide.input.head.value}) {
      *tensor = tensor->to(torch::kFloat64);
    }
    const auto found = evaluate(settings, pack);
    const auto wanted = evaluate(settings, wide);
    const double limit = type == torch::kFloat32 ? 1e-5 : 2e-2;
    EXPECT_EQ(found.hidden_gradient.scalar_type(), type);
    EXPECT_EQ(found.row_loss.scalar_type(), torch::kFloat32);
    EXPECT_LT(largest_difference(found.hidden_gradient, wanted.hidden_gradient),
              limit * wanted.hidden_gradient.abs().max().item<double>());
    EXPECT_NEAR(found.loss_sum.item<double>() / wanted.loss_sum.item<double>(), 1, limit);
  }
}

INSTANTIATE_TEST_SUITE_P(Objective, EveryMethod, testing::ValuesIn(kMethods),
                         [](const auto& method) { return std::string(name_of(method.param)); });

TEST(Objective, WithoutItsPartsCusetIsSft) {
  const Pack pack = random_pack({4, 7});
  ObjectiveSettings settings = settings_of(Method::kCuset);
  settings.confidence_mask = settings.cuda_mask = settings.sample_weight = false;
  const auto cuset = evaluate(settings, pack);
  const auto sft = evaluate(settings_of(Method::kSft), pack);
  EXPECT_TRUE(torch::equal(cuset.row_loss, sft.row_loss));
  EXPECT_TRUE(torch::equal(cuset.hidden_gradient, sft.hidden_gradient));
  EXPECT_EQ(cuset.sample_weights.sum().item<double>(), 2);
}

TEST(Objective, TheConfidenceMaskAloneIsProFit) {
  const Pack pack = random_pack({4, 7});
  ObjectiveSettings settings = settings_of(Method::kCuset);
  settings.cuda_mask = settings.sample_weight = false;
  const auto cuset = evaluate(settings, pack);
  const auto profit = evaluate(settings_of(Method::kProFit), pack);
  EXPECT_TRUE(torch::equal(cuset.row_weight, profit.row_weight));
  const double masked_in = profit.masked_in_sum.item<double>();
  EXPECT_TRUE(masked_in > 0 && masked_in < 11) << masked_in;
  EXPECT_TRUE(torch::equal(cuset.hidden_gradient, profit.hidden_gradient));
}

TEST(Objective, TheSampleWeightAloneScalesSft) {
  const Pack pack = random_pack({4, 7});
  ObjectiveSettings settings = settings_of(Method::kCuset);
  settings.confidence_mask = settings.cuda_mask = false;
  const auto cuset = evaluate(settings, pack);
  const auto sft = evaluate(settings_of(Method::kSft), pack);
  const auto factors = cuset.sample_weights.repeat_interleave(torch::tensor({4, 7}, torch::kInt64));
  EXPECT_LT(largest_difference(cuset.row_weight, sft.row_weight * factors), 1e-15);
  EXPECT_LT(cuset.sample_weights.max().item<double>(), 1);
}

TEST(Objective, TauRisesWithTheRun) {
  Pack pack = random_pack({30});
  for (const Method method : {Method::kProFit, Method::kCuset}) {
    ObjectiveSettings settings = settings_of(method);
    settings.cuda_mask = false;
    settings.tau_ramp = 0.5;
    pack.input.progress = 0;
    EXPECT_EQ(evaluate(settings, pack).masked_in_sum.item<double>(), 30);
    pack.input.progress = 0.25;
    const auto half_way = evaluate(settings, pack);
    settings.tau_ramp = 0;
    settings.tau /= 2;
    EXPECT_TRUE(torch::equal(half_way.row_weight, evaluate(settings, pack).row_weight));
    EXPECT_LT(half_way.masked_in_sum.item<double>(), 30);
  }
}

TEST(Objective, ABrokenRowIsTheOnlyOneWhoseLossIsNotANumber) {
  Pack pack = random_pack({4, 7});
  pack.input.hidden[pack.rows.positions[2].item<int64_t>()].fill_(std::nan(""));
  const auto result = evaluate(settings_of(Method::kCuset), pack);
  EXPECT_TRUE(std::isnan(result.loss_sum.item<double>()));
  EXPECT_TRUE(torch::equal(result.row_loss.isnan().nonzero().flatten(), torch::tensor({2}, torch::kInt64)));
}

TEST(Objective, WhatDoesNotFitTogetherIsRefused) {
  const ObjectiveSettings settings = settings_of(Method::kCuset);
  Pack pack = random_pack({4, 7});
  EXPECT_THROW(evaluate_objective(settings, pack.input, pack.rows),
               base::CheckFailure);  // a reference too many
  EXPECT_THROW(
      evaluate_objective(settings_of(Method::kAsft), {pack.input.hidden, {}, pack.input.head}, pack.rows),
      base::CheckFailure);
  Pack borders = pack;
  borders.rows.borders = {0, 4, 10};
  EXPECT_THROW(evaluate(settings, borders), base::CheckFailure);
  Pack weights = pack;
  weights.rows.data_weights = torch::ones({3});
  EXPECT_THROW(evaluate(settings, weights), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::objective
