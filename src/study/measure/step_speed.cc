#include "study/measure/step_speed.h"

#include <algorithm>
#include <chrono>

#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "ops/device/determinism.h"
#include "ops/device/gpu_memory.h"
#include "train/forward_backward.h"
#include "train/optimizer.h"

namespace cuset::study {
namespace {

constexpr double kMaxNorm = 1.0;
constexpr double kLearningRate = 1e-4;

// Random tokens, all but the first of every sample learned, a third of them CUDA.
train::TrainingBatch random_batch(const model::ModelConfig& config, const StepSpeedOptions& options,
                                  torch::Device device) {
  base::RandomStream stream(1, "step speed");
  std::vector<data::Example> examples(static_cast<size_t>(options.samples));
  std::vector<const data::Example*> borrowed;
  std::vector<uint64_t> turns;
  for (data::Example& example : examples) {
    for (int64_t i = 0; i < options.tokens; ++i) {
      example.ids.push_back(static_cast<uint32_t>(stream.below(static_cast<uint64_t>(config.vocab))));
      example.is_label.push_back(i > 0);
      example.is_cuda.push_back(i > 0 && i % 3 == 0);
    }
    turns.push_back(borrowed.size());
    borrowed.push_back(&example);
  }
  return train::make_training_batch(borrowed, turns, device);
}

model::Decoder make_decoder(const model::ModelConfig& config, const StepSpeedOptions& options,
                            const model::WeightOptions& weights) {
  const base::RandomStream stream(2, "step speed");
  model::Decoder decoder(config, model::random_model_weights(config, weights, stream.child("weights")));
  if (options.all_weights) {
    decoder.train_all();
  } else {
    model::LoraSettings lora;
    lora.rank = options.lora_rank;
    lora.alpha = 2 * static_cast<double>(options.lora_rank);
    decoder.add_adapter(lora, stream.child("adapter"));
  }
  return decoder;
}

}  // namespace

struct StepSpeedBench::Parts {
  explicit Parts(const StepSpeedOptions& chosen)
      : options(chosen),
        config(model::model_config_from_json(chosen.config, "config.json")),
        placement(chosen.placement.resolve()),
        weights(model::weight_options(placement)),
        batch(random_batch(config, chosen, weights.device)),
        decoder(make_decoder(config, chosen, weights)),
        optimizer(decoder.trained(), {}) {}

  // Returns the loss per token.
  double step(const objective::ObjectiveSettings& objective, double& gradient_norm) {
    const auto rows = static_cast<double>(batch.rows.targets.numel());
    train::ForwardBackwardOptions pass;
    pass.objective = objective;
    pass.dropout = options.all_weights ? 0 : options.lora_dropout;
    pass.dropout_seed = static_cast<uint64_t>(optimizer.steps_done());
    pass.recompute = options.recompute;
    pass.gradient_scale = 1 / rows;
    decoder.trained().zero_gradient();
    const objective::ObjectiveResult result = train::forward_backward(decoder, batch, pass);
    const auto norm = train::clip_gradient(decoder.trained().gradient(), kMaxNorm);
    optimizer.step(kLearningRate);
    gradient_norm = norm.item<double>();
    return result.loss_sum.item<double>() / rows;
  }

  StepSpeedOptions options;
  model::ModelConfig config;
  model::Placement placement;
  model::WeightOptions weights;
  train::TrainingBatch batch;
  model::Decoder decoder;
  train::Optimizer optimizer;
};

StepSpeedBench::StepSpeedBench(const StepSpeedOptions& options) : parts_(std::make_unique<Parts>(options)) {
  ops::set_deterministic_operations(options.deterministic);
}

StepSpeedBench::~StepSpeedBench() = default;

StepSpeed StepSpeedBench::measure(const objective::ObjectiveSettings& objective) {
  const StepSpeedOptions& options = parts_->options;
  const int gpu = parts_->placement.gpu_index();
  StepSpeed speed;
  for (int i = 0; i < options.warm_up; ++i) parts_->step(objective, speed.gradient_norm);
  ops::wait_for_gpu();
  ops::reset_peak_gpu_memory(gpu);
  std::vector<double> seconds;
  for (int i = 0; i < options.steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    speed.loss = parts_->step(objective, speed.gradient_norm);  // reads metrics back, so it waits for the GPU
    ops::wait_for_gpu();
    seconds.push_back(base::seconds_since(start));
  }
  std::sort(seconds.begin(), seconds.end());
  speed.median_seconds = seconds[seconds.size() / 2];
  speed.fastest_seconds = seconds[0];
  speed.peak_bytes = ops::peak_gpu_memory(gpu);
  speed.tokens_per_second = static_cast<double>(options.samples * options.tokens) / speed.median_seconds;
  return speed;
}

}  // namespace cuset::study
