#include "study/measure/inference_speed.h"

#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "model/inference/inference.h"
#include "model/model_folder.h"
#include "ops/device/gpu_memory.h"

namespace cuset::study {
namespace {

constexpr int64_t kWarmUpTokens = 4;

std::vector<model::NamedTensor> weights_of(const model::ModelConfig& config,
                                           const InferenceSpeedOptions& options) {
  const model::WeightOptions weights = model::weight_options(options.placement.resolve());
  return options.model.empty()
             ? model::random_model_weights(config, weights, base::RandomStream(1, "inference speed"))
             : model::load_model_weights(options.model, config, weights);
}

InferenceSpeed run(model::InferenceModel& model, const InferenceSpeedOptions& options, int64_t new_tokens) {
  base::RandomStream stream(2, "inference speed");
  std::vector<std::vector<int64_t>> tokens(static_cast<size_t>(model.limits().slots));
  for (size_t row = 0; row < tokens.size(); ++row) {
    model.begin(static_cast<int64_t>(row));
    for (int64_t i = 0; i < options.prompt; ++i)
      tokens[row].push_back(static_cast<int64_t>(stream.below(static_cast<uint64_t>(model.config().vocab))));
  }
  const auto extend = [&] {
    std::vector<model::SequenceExtension> rows;
    for (size_t row = 0; row < tokens.size(); ++row) rows.push_back({static_cast<int64_t>(row), tokens[row]});
    const auto best = model.extend(rows).argmax(1).to(torch::kCPU);
    for (size_t row = 0; row < tokens.size(); ++row) tokens[row] = {best.const_data_ptr<int64_t>()[row]};
  };
  const torch::NoGradGuard no_gradient;
  InferenceSpeed speed;
  const auto start = std::chrono::steady_clock::now();
  extend();
  speed.prompt_seconds = base::seconds_since(start);
  for (int64_t i = 1; i < new_tokens; ++i) extend();
  speed.seconds = base::seconds_since(start);
  return speed;
}

}  // namespace

InferenceSpeed measure_inference(const InferenceSpeedOptions& options, int64_t batch) {
  const int gpu = options.placement.resolve().gpu_index();
  const model::ModelConfig config = model::model_config_from_json(options.config, "config.json");
  // As many slots as rows, for on a GPU a step computes all of them.
  model::InferenceModel model(config, weights_of(config, options),
                              {.slots = batch, .positions = options.prompt + options.new_tokens});
  run(model, options, std::min(kWarmUpTokens, options.new_tokens));
  ops::reset_peak_gpu_memory(gpu);
  InferenceSpeed speed = run(model, options, options.new_tokens);
  speed.peak_bytes = ops::peak_gpu_memory(gpu);
  return speed;
}

}  // namespace cuset::study
