#include "train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <cmath>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"

namespace cuset::train {
namespace {

// The weights of testdata/train/make_reference.py, with the one that does not decay in the middle.
model::TrainedParameters reference_parameters(torch::Device device) {
  return model::TrainedParameters({{.name = "matrix", .shape = {5, 7}},
                                   {.name = "bias", .shape = {9}, .decays = false},
                                   {.name = "vector", .shape = {13}}},
                                  torch::kFloat32, device);
}

const std::vector<std::string> kReferenceNames = {"matrix", "vector", "bias"};

torch::Tensor tensor_of(const base::Json& numbers) {
  return torch::tensor(numbers.get<std::vector<double>>(), torch::kFloat64).to(torch::kFloat32);
}

void fill(const torch::Tensor& target, const base::Json& numbers) {
  torch::Tensor view = target;
  view.copy_(tensor_of(numbers).view(target.sizes()));
}

// Largest |a - b| / largest |b|: elements of averages cancel, so their own size does not measure anything.
double relative_difference(const torch::Tensor& a, const base::Json& numbers) {
  const auto b = tensor_of(numbers);
  return ((a.cpu().flatten() - b).abs().max() / b.abs().max()).item<double>();
}

constexpr double kLastBits = 2.4e-7;  // two units in the last place of float32
// LibTorch's kernel on a GPU takes 1 - beta2 in float32: 0.999987e-3 in place of 1e-3.
constexpr double kGpuBits = 2e-5;

void compare_with_torch(torch::Device device) {
  const double limit = device.is_cuda() ? kGpuBits : kLastBits;
  const base::Json reference = base::read_json_file("testdata/train/adamw.json");
  for (const base::Json& problem : reference["cases"]) {
    model::TrainedParameters parameters = reference_parameters(device);
    Optimizer optimizer(parameters, {.beta1 = problem["beta1"].get<double>(),
                                     .beta2 = problem["beta2"].get<double>(),
                                     .epsilon = problem["epsilon"].get<double>(),
                                     .weight_decay = problem["weight_decay"].get<double>()});
    for (size_t i = 0; i < 3; ++i) fill(parameters.master_of(kReferenceNames[i]), problem["start"][i]);
    for (const base::Json& step : problem["steps"]) {
      for (size_t i = 0; i < 3; ++i)
        fill(parameters.parameter(kReferenceNames[i]).gradient, step["gradient"][i]);
      const auto norm = clip_gradient(parameters.gradient(), problem["max_norm"].get<double>());
      EXPECT_NEAR(norm.item<double>() / step["norm"].get<double>(), 1, limit);
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_LT(relative_difference(parameters.parameter(kReferenceNames[i]).gradient, step["clipped"][i]),
                  limit);
      }
      optimizer.step(step["rate"].get<double>());
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_LT(relative_difference(parameters.master_of(kReferenceNames[i]), step["weights"][i]), limit);
      }
    }
    for (const model::NamedTensor& tensor : optimizer.state()) {
      for (size_t i = 0; i < 3; ++i) {
        for (const std::string kind : {"exp_avg", "exp_avg_sq"}) {
          if (tensor.name != kind + "." + kReferenceNames[i]) continue;
          EXPECT_LT(relative_difference(tensor.tensor, problem[kind][i]), limit);
        }
      }
    }
  }
}

TEST(Optimizer, EqualsTorchAdamW) { compare_with_torch(torch::kCPU); }

// Each matrix moves as it would alone with its own learning rate.
TEST(Optimizer, LoraPlusGivesMatricesBTheirOwnRate) {
  const std::vector<model::TrainedWeight> weights = {{"m.lora_A.weight", {2, 3}},
                                                     {"m.lora_B.weight", {3, 2}}};
  const auto moved = [&](double ratio, double rate, const std::string& name) {
    model::TrainedParameters parameters(weights, torch::kFloat32, torch::kCPU);
    Optimizer optimizer(parameters, {.weight_decay = 0.1, .lora_plus_ratio = ratio});
    parameters.master().fill_(1);
    for (const double gradient : {0.5, -2.0}) {
      parameters.gradient().fill_(gradient);
      optimizer.step(rate);
    }
    return parameters.master_of(name).clone();
  };
  const auto same = [](const torch::Tensor& x, const torch::Tensor& y) {
    return (x - y).abs().max().item<double>() < 1e-6;
  };
  EXPECT_TRUE(same(moved(16, 1e-3, "m.lora_A.weight"), moved(1, 1e-3, "m.lora_A.weight")));
  EXPECT_TRUE(same(moved(16, 1e-3, "m.lora_B.weight"), moved(1, 16e-3, "m.lora_B.weight")));
  EXPECT_FALSE(same(moved(16, 1e-3, "m.lora_B.weight"), moved(1, 1e-3, "m.lora_B.weight")));
}

TEST(OptimizerGpu, EqualsTorchAdamW) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  compare_with_torch(torch::kCUDA);
}

// A small model in bfloat16 and gradients that depend on the step alone.
struct SmallRun {
  SmallRun()
      : parameters({{.name = "a", .shape = {3, 5}}, {.name = "b", .shape = {4}, .decays = false}},
                   torch::kBFloat16, torch::kCPU),
        optimizer(parameters, {.weight_decay = 0.1}) {}

  void run(int from, int to) {
    for (int step = from; step < to; ++step) {
      for (const char* name : {"a", "b"}) {
        auto gradient = parameters.parameter(name).gradient;
        gradient.copy_(torch::arange(gradient.numel()).view(gradient.sizes()).add(step).sin());
      }
      optimizer.step(0.01);
    }
  }

  model::TrainedParameters parameters;
  Optimizer optimizer;
};

TEST(Optimizer, GradientsAgreeWithTheMeanOfEarlierOnes) {
  model::TrainedParameters parameters({{.name = "vector", .shape = {2}}}, torch::kFloat32, torch::kCPU);
  Optimizer optimizer(parameters, {.beta1 = 0.5});
  const auto agreement_of = [&](double x, double y) {
    parameters.gradient().narrow(0, 0, 2).copy_(torch::tensor({x, y}));
    return optimizer.gradient_agreement();
  };
  EXPECT_EQ(agreement_of(3, 4), 0);
  optimizer.step(0);  // the mean is (1.5, 2)
  EXPECT_NEAR(agreement_of(3, 4), 1, 1e-12);
  EXPECT_NEAR(agreement_of(-4, 3), 0, 1e-12);
  EXPECT_NEAR(agreement_of(-6, -8), -1, 1e-12);
  EXPECT_NEAR(agreement_of(1, 0), 0.6, 1e-12);
}

TEST(Optimizer, RoundsTheMasterForTheModel) {
  SmallRun run;
  run.run(0, 3);
  const auto value = run.parameters.parameter("a").value;
  EXPECT_EQ(value.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::equal(value, run.parameters.master_of("a").to(torch::kBFloat16)));
}

TEST(Optimizer, ResumesToTheBit) {
  const base::TemporaryFolder folder;
  SmallRun whole, first, second;
  whole.run(0, 10);
  first.run(0, 4);
  model::write_safetensors(folder / "optimizer.safetensors", first.optimizer.state());
  second.optimizer.load_state(model::SafetensorsFile(folder / "optimizer.safetensors"));
  EXPECT_EQ(second.optimizer.steps_done(), 4);
  EXPECT_TRUE(torch::equal(second.parameters.parameter("a").value, first.parameters.parameter("a").value));
  second.run(4, 10);
  EXPECT_TRUE(torch::equal(second.parameters.master(), whole.parameters.master()));
}

TEST(Optimizer, WrongStateIsRefusedAndChangesNothing) {
  const base::TemporaryFolder folder;
  const auto path = folder / "o.safetensors";
  const auto error_of = [&](std::vector<model::NamedTensor> tensors) {
    model::write_safetensors(path, tensors);
    SmallRun run;
    try {
      run.optimizer.load_state(model::SafetensorsFile(path));
    } catch (const base::Error& error) {
      EXPECT_EQ(run.parameters.master().abs().sum().item<double>(), 0);
      EXPECT_EQ(error.remedy(), "resume with the model and the trained layers of the run that wrote it");
      return std::string(error.what()).substr(path.string().size() + 2);
    }
    return std::string("no error");
  };
  SmallRun run;
  run.run(0, 2);
  auto state = run.optimizer.state();
  EXPECT_EQ(error_of(state), "no error");
  auto missing = state;
  missing.pop_back();
  EXPECT_EQ(error_of(missing), "\"exp_avg_sq.b\" is missing");
  auto other_shape = state;
  other_shape.back().tensor = torch::zeros({5});
  EXPECT_EQ(error_of(other_shape), "\"exp_avg_sq.b\" has the shape [5], but must have [4]");
  auto other_type = state;
  other_type.back().tensor = torch::zeros({4}, torch::kFloat64);
  EXPECT_EQ(error_of(other_type), "\"exp_avg_sq.b\" is Double, but must be Float");
  auto more = state;
  more.push_back({"master.c", torch::zeros({1})});
  EXPECT_EQ(error_of(more), "\"master.c\" does not belong to a trained weight");
}

TEST(GradientNorm, IsExactForLongGradients) {
  const auto gradient = torch::full({1 << 20}, 0.1f).index_fill_(0, torch::tensor({0}), 100.0f);
  const double square = static_cast<double>(0.1f) * static_cast<double>(0.1f);
  EXPECT_NEAR(gradient_norm(gradient).item<double>(), std::sqrt(((1 << 20) - 1) * square + 1e4), 1e-10);
}

TEST(ClipGradient, LeavesSmallGradientsAlone) {
  auto gradient = torch::tensor({3.0f, 4.0f});
  EXPECT_EQ(clip_gradient(gradient, 5.1).item<double>(), 5);
  EXPECT_TRUE(torch::equal(gradient, torch::tensor({3.0f, 4.0f})));
  clip_gradient(gradient, 0);
  EXPECT_TRUE(torch::equal(gradient, torch::tensor({3.0f, 4.0f})));
  clip_gradient(gradient, 1);
  EXPECT_TRUE(torch::allclose(gradient, torch::tensor({0.6f, 0.8f})));
}

TEST(ClipGradient, ShowsWhatIsNotFinite) {
  auto gradient = torch::tensor({1.0f, std::nanf("")});
  EXPECT_TRUE(std::isnan(clip_gradient(gradient, 1).item<double>()));
}

TEST(Optimizer, BadSettingsAreUsageErrors) {
  model::TrainedParameters parameters({{.name = "a", .shape = {1}}}, torch::kFloat32, torch::kCPU);
  EXPECT_THROW(Optimizer(parameters, {.beta1 = 1}), base::UsageError);
  EXPECT_THROW(Optimizer(parameters, {.beta2 = -0.1}), base::UsageError);
  EXPECT_THROW(Optimizer(parameters, {.epsilon = -1}), base::UsageError);
  EXPECT_THROW(Optimizer(parameters, {.weight_decay = -1}), base::UsageError);
}

}  // namespace
}  // namespace cuset::train
