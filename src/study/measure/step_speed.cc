#include "study/measure/step_speed.h"

#include <algorithm>
#include <chrono>

#include "base/stats/random.h"
#include "base/seconds_since.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "ops/device/determinism.h"
#include "ops/device/gpu_memory.h"
#include "train/forward_backward.h"
#include "train/optimizer.h"

namespace cuset {
namespace {

constexpr double kMaxNorm = 1.0;
constexpr double kLearningRate = 1e-4;

// Random tokens, all but the first of every sample learned, a third of them CUDA.
TrainingBatch random_batch(const ModelConfig& config, const StepSpeedOptions& options, torch::Device device) {
  RandomStream stream(1, "step speed");
  std::vector<Example> examples(static_cast<size_t>(options.samples));
  std::vector<const Example*> borrowed;
  std::vector<uint64_t> turns;
  for (Example& example : examples) {
    for (int64_t i = 0; i < options.tokens; ++i) {
      example.ids.push_back(static_cast<uint32_t>(stream.below(static_cast<uint64_t>(config.vocab))));
      example.is_label.push_back(i > 0);
      example.is_cuda.push_back(i > 0 && i % 3 == 0);
    }
    turns.push_back(borrowed.size());
    borrowed.push_back(&example);
  }
  return make_training_batch(borrowed, turns, device);
}

Decoder make_decoder(const ModelConfig& config, const StepSpeedOptions& options,
                     const WeightOptions& weights) {
  const RandomStream stream(2, "step speed");
  Decoder decoder(config, random_model_weights(config, weights, stream.child("weights")));
  if (options.all_weights) {
    decoder.train_all();
  } else {
    LoraSettings lora;
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
        config(model_config_from_json(chosen.config, "config.json")),
        placement(chosen.placement.resolve()),
        weights(weight_options(placement)),
        batch(random_batch(config, chosen, weights.device)),
        decoder(make_decoder(config, chosen, weights)),
        optimizer(decoder.trained(), {}) {}

  // Returns the loss per token.
  double step(const ObjectiveSettings& objective, double& gradient_norm) {
    const auto rows = static_cast<double>(batch.rows.targets.numel());
    ForwardBackwardOptions pass;
    pass.objective = objective;
    pass.dropout = options.all_weights ? 0 : options.lora_dropout;
    pass.dropout_seed = static_cast<uint64_t>(optimizer.steps_done());
    pass.recompute = options.recompute;
    pass.gradient_scale = 1 / rows;
    decoder.trained().zero_gradient();
    const ObjectiveResult result = forward_backward(decoder, batch, pass);
    const auto norm = clip_gradient(decoder.trained().gradient(), kMaxNorm);
    optimizer.step(kLearningRate);
    gradient_norm = norm.item<double>();
    return result.loss_sum.item<double>() / rows;
  }

  StepSpeedOptions options;
  ModelConfig config;
  Placement placement;
  WeightOptions weights;
  TrainingBatch batch;
  Decoder decoder;
  Optimizer optimizer;
};

StepSpeedBench::StepSpeedBench(const StepSpeedOptions& options) : parts_(std::make_unique<Parts>(options)) {
  set_deterministic_operations(options.deterministic);
}

StepSpeedBench::~StepSpeedBench() = default;

StepSpeed StepSpeedBench::measure(const ObjectiveSettings& objective) {
  const StepSpeedOptions& options = parts_->options;
  const int gpu = parts_->placement.gpu_index();
  StepSpeed speed;
  for (int i = 0; i < options.warm_up; ++i) parts_->step(objective, speed.gradient_norm);
  wait_for_gpu();
  reset_peak_gpu_memory(gpu);
  std::vector<double> seconds;
  for (int i = 0; i < options.steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    speed.loss = parts_->step(objective, speed.gradient_norm);  // reads metrics back, so it waits for the GPU
    wait_for_gpu();
    seconds.push_back(seconds_since(start));
  }
  std::sort(seconds.begin(), seconds.end());
  speed.median_seconds = seconds[seconds.size() / 2];
  speed.fastest_seconds = seconds[0];
  speed.peak_bytes = peak_gpu_memory(gpu);
  speed.tokens_per_second = static_cast<double>(options.samples * options.tokens) / speed.median_seconds;
  return speed;
}

}  // namespace cuset
