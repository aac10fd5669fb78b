#include "model/parameters.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::model {
namespace {

std::vector<TrainedWeight> three_weights() {
  return {{.name = "matrix", .shape = {3, 5}},
          {.name = "norm", .shape = {7}, .decays = false},
          {.name = "other", .shape = {4, 4}}};
}

TEST(TrainedParameters, WeightsThatDecayComeFirst) {
  TrainedParameters parameters(three_weights(), torch::kFloat32, torch::kCPU);
  ASSERT_EQ(parameters.weights().size(), 3u);
  EXPECT_EQ(parameters.weights()[1].name, "other");
  EXPECT_EQ(parameters.weights()[2].name, "norm");
  EXPECT_EQ(parameters.decaying_size(), 32);
  EXPECT_EQ(parameters.size(), 48);
  parameters.master_of("norm").fill_(1);
  EXPECT_EQ(parameters.master().narrow(0, 0, 32).abs().sum().item<float>(), 0);
  EXPECT_EQ(parameters.master().sum().item<float>(), 7);
}

TEST(TrainedParameters, ViewsAreAlignedAndShareTheBuffers) {
  TrainedParameters parameters(three_weights(), torch::kBFloat16, torch::kCPU);
  for (const TrainedWeight& weight : parameters.weights()) {
    const ops::Parameter view = parameters.parameter(weight.name);
    EXPECT_EQ(view.value.sizes(), weight.shape);
    EXPECT_TRUE(view.value.is_contiguous());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(view.value.data_ptr()) % 16, 0u);
    EXPECT_EQ(view.gradient.scalar_type(), torch::kFloat32);
    view.gradient.fill_(1);
  }
  EXPECT_EQ(parameters.gradient().sum().item<float>(), 15 + 7 + 16);
  parameters.zero_gradient();
  EXPECT_EQ(parameters.parameter("other").gradient.sum().item<float>(), 0);
}

TEST(TrainedParameters, RefreshRoundsTheMaster) {
  TrainedParameters parameters(three_weights(), torch::kBFloat16, torch::kCPU);
  const ops::Parameter before = parameters.parameter("matrix");
  parameters.master_of("matrix").fill_(1.001);
  EXPECT_EQ(before.value.sum().item<float>(), 0);
  parameters.refresh_compute();
  EXPECT_EQ(before.value.scalar_type(), torch::kBFloat16);
  EXPECT_EQ(before.value[2][4].item<float>(), 1.0F);
  EXPECT_EQ(parameters.master_of("matrix")[2][4].item<float>(), 1.001F);
}

TEST(TrainedParameters, Float32ComputesWithTheMasterItself) {
  TrainedParameters parameters(three_weights(), torch::kFloat32, torch::kCPU);
  EXPECT_EQ(parameters.parameter("norm").value.data_ptr(), parameters.master_of("norm").data_ptr());
}

TEST(TrainedParameters, Float64IsNeverRounded) {
  TrainedParameters parameters(three_weights(), torch::kFloat64, torch::kCPU);
  EXPECT_EQ(parameters.master().scalar_type(), torch::kFloat64);
  EXPECT_EQ(parameters.parameter("norm").gradient.scalar_type(), torch::kFloat64);
}

TEST(TrainedParameters, NothingTrainedIsEmpty) {
  TrainedParameters parameters;
  EXPECT_EQ(parameters.size(), 0);
  parameters.zero_gradient();
  parameters.refresh_compute();
  EXPECT_TRUE(parameters.weights().empty());
}

TEST(TrainedParameters, UnknownAndRepeatedNamesAreOurBug) {
  const TrainedParameters parameters(three_weights(), torch::kFloat32, torch::kCPU);
  EXPECT_THROW(parameters.parameter("norms"), base::CheckFailure);
  EXPECT_THROW(TrainedParameters({{.name = "a", .shape = {1}}, {.name = "a", .shape = {2}}}, torch::kFloat32,
                                 torch::kCPU),
               base::CheckFailure);
}

}  // namespace
}  // namespace cuset::model
