#include "objective/token_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cuset::objective {
namespace {

// Confidences 0.05, 0.1 (exactly tau), 0.5 and one too small for any float; the CUDA mask on the first and
// third.
struct Rows {
  ops::LinearCrossEntropy metrics;
  torch::Tensor is_cuda = torch::tensor({true, false, true, false});

  Rows() {
    metrics.log_probability =
        torch::tensor({std::log(0.05), std::log(0.1), std::log(0.5), -1000.0}, torch::kFloat64);
    metrics.entropy = torch::tensor({3.0, 1.5, -1e-9, 0.75}, torch::kFloat64);
  }

  std::vector<double> weights(const ObjectiveSettings& settings, double tau = 0.1) const {
    const auto values = token_weights(settings, tau, metrics, is_cuda);
    return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
  }
};

ObjectiveSettings settings_of(Method method) {
  ObjectiveSettings settings;
  settings.method = method;
  return settings;
}

using Weights = std::vector<double>;

TEST(TokenWeights, OfEveryMethodByHand) {
  const Rows rows;
  EXPECT_EQ(rows.weights(settings_of(Method::kSft)), (Weights{1, 1, 1, 1}));
  const Weights p = {std::exp(std::log(0.05)), std::exp(std::log(0.1)), std::exp(std::log(0.5)), 0};
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_NEAR(rows.weights(settings_of(Method::kDft))[i], p[i], 1e-16);
    EXPECT_NEAR(rows.weights(settings_of(Method::kAsft))[i], p[i], 1e-16);
  }
  EXPECT_EQ(rows.weights(settings_of(Method::kProFit)), (Weights{0, 1, 1, 0}));
  EXPECT_EQ(rows.weights(settings_of(Method::kCuset)), (Weights{1, 0, 2, 0}));
}

TEST(TokenWeights, OfAcceptedTokens) {
  const Rows rows;
  const auto accepted = torch::tensor({true, true, false, true});
  const auto weights_of = [&](const ObjectiveSettings& settings) {
    const auto values = token_weights(settings, 0.1, rows.metrics, rows.is_cuda, accepted);
    return Weights{values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
  };
  ObjectiveSettings settings = settings_of(Method::kCusetPlus);
  settings.lambda = 3;
  EXPECT_EQ(weights_of(settings), (Weights{4, 1, 0, 1}));
  settings.cuda_mask = false;
  EXPECT_EQ(weights_of(settings), (Weights{1, 1, 0, 1}));
}

TEST(TokenWeights, EntropyIsHeldAgainstThree) {
  const Rows rows;
  ObjectiveSettings settings = settings_of(Method::kEaft);
  EXPECT_EQ(rows.weights(settings), (Weights{1, 0.5, 0, 0.25}));
  settings.entropy_exponent = 0.5;
  const Weights roots = rows.weights(settings);
  const Weights wanted = {1, std::sqrt(0.5), 0, 0.5};
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(roots[i], wanted[i], 1e-15);
  settings.entropy_exponent = 0;
  EXPECT_EQ(rows.weights(settings), (Weights{1, 1, 1, 1}));
}

TEST(TokenWeights, PartsOfCusetSwitchedOffChangeNothing) {
  const Rows rows;
  ObjectiveSettings settings = settings_of(Method::kCuset);
  settings.lambda = 0.5;
  EXPECT_EQ(rows.weights(settings), (Weights{0.5, 0, 1.5, 0}));
  settings.cuda_mask = false;
  EXPECT_EQ(rows.weights(settings), (Weights{0, 0, 1, 0}));
  settings.confidence_mask = false;
  EXPECT_EQ(rows.weights(settings), (Weights{1, 1, 1, 1}));
  settings.cuda_mask = true;
  EXPECT_EQ(rows.weights(settings), (Weights{1.5, 1, 1.5, 1}));
}

TEST(TokenWeights, TauOfZeroLetsInEveryToken) {
  const Rows rows;
  EXPECT_EQ(rows.weights(settings_of(Method::kProFit), 0), (Weights{1, 1, 1, 1}));
  EXPECT_EQ(rows.weights(settings_of(Method::kCuset), 0), (Weights{2, 1, 2, 1}));
}

TEST(TokenWeights, KeepTheTypeOfTheMetrics) {
  ops::LinearCrossEntropy metrics;
  metrics.log_probability = torch::tensor({-1.0F, -9.0F});
  metrics.entropy = torch::tensor({1.0F, 2.0F});
  const auto is_cuda = torch::tensor({true, false});
  for (const Method method : {Method::kSft, Method::kDft, Method::kEaft, Method::kProFit, Method::kCuset}) {
    const auto weights = token_weights(settings_of(method), 0.1, metrics, is_cuda);
    EXPECT_EQ(weights.scalar_type(), torch::kFloat32) << name_of(method);
  }
}

}  // namespace
}  // namespace cuset::objective
