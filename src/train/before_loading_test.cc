#include "train/before_loading.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::train {
namespace {

model::ModelConfig small_config() {
  model::ModelConfig config;
  config.model_class = model::ModelClass::kQwen2;
  config.hidden = 8192;
  config.layers = 2;
  config.heads = 64;
  config.kv_heads = 8;
  config.head_dim = 128;
  config.intermediate = 28672;
  config.vocab = 152064;
  return config;
}

struct Fixture {
  Fixture() {
    settings.order.batching = Batching::kSamples;
    settings.order.epochs = 2;
    settings.model.placement = {.device = "cpu", .dtype = "float32"};
  }
  PlannedRun run() { return {.settings = settings, .config = config, .order = order(), .tokens = 1000}; }
  const DataOrder& order() {
    if (!order_) order_.emplace(std::vector<size_t>(10, 100), settings.order);
    return *order_;
  }

  TrainingSettings settings;
  model::ModelConfig config = small_config();
  std::optional<DataOrder> order_;
};

TEST(BeforeLoading, OperationsFollowWhatIsTrainedAndWhatIsLeft) {
  Fixture fixture;
  const auto parameters = static_cast<double>(fixture.config.parameters());
  EXPECT_DOUBLE_EQ(operations_of(fixture.run()), 4 * parameters * 2000);
  fixture.settings.step.recompute = true;
  EXPECT_DOUBLE_EQ(operations_of(fixture.run()), 6 * parameters * 2000);
  fixture.settings.model.full = true;
  EXPECT_DOUBLE_EQ(operations_of(fixture.run()), 8 * parameters * 2000);
  PlannedRun resumed = fixture.run();
  resumed.steps_done = 15;  // of 20
  EXPECT_DOUBLE_EQ(operations_of(resumed), 8 * parameters * 500);
}

TEST(BeforeLoading, AModelThatNoMachineHoldsIsRefusedWithARemedy) {
  Fixture fixture;
  fixture.config.intermediate = int64_t{1} << 40;
  try {
    say_before_loading(fixture.run());
    FAIL() << "it was accepted";
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()).find("weights and optimizer alone need "), 0u) << error.what();
    EXPECT_NE(error.one_line().find("dtype: bfloat16, a smaller model"), std::string::npos)
        << error.one_line();
  }
}

}  // namespace
}  // namespace cuset::train
