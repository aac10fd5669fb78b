#include "study/measure/generation_speed.h"

#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>

#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "model/inference/inference.h"
#include "model/model_folder.h"
#include "ops/device/cpu_threads.h"
#include "ops/device/memory.h"
#include "study/measure/generation_speed_reference.h"
#include "study/measure/python_reference.h"

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

// As generation_speed_reference.py reads it.
base::Json job_of(const GenerateBenchOptions& options) {
  const InferenceSpeedOptions& speed = options.speed;
  return {{"config", speed.config},
          {"model", speed.model.string()},
          {"batches", options.batches},
          {"prompt", speed.prompt},
          {"new_tokens", speed.new_tokens},
          {"device", speed.placement.device},
          {"bfloat16", speed.placement.is_bfloat16()}};
}

double tokens_per_second(const GenerateBenchOptions& options, int64_t batch, const InferenceSpeed& speed) {
  return static_cast<double>(batch * options.speed.new_tokens) / speed.seconds;
}

double step_milliseconds(const GenerateBenchOptions& options, const InferenceSpeed& speed) {
  if (options.speed.new_tokens < 2) return 0;
  return 1e3 * (speed.seconds - speed.prompt_seconds) / static_cast<double>(options.speed.new_tokens - 1);
}

void measure_reference(const GenerateBenchOptions& options, GenerateBenchResult& result) {
  const BenchReference reference =
      run_bench_reference(kBenchGenerateReference, job_of(options), options.python);
  result.missing = reference.missing;
  for (const base::Json& answer : reference.answers) {
    for (GenerateBenchRow& row : result.rows) {
      if (row.batch != answer.at("batch").get<int64_t>()) continue;
      row.transformers = InferenceSpeed{.seconds = answer.at("seconds"),
                                        .prompt_seconds = answer.at("prompt_seconds"),
                                        .peak_bytes = answer.at("peak")};
    }
  }
}

std::string table_line(const GenerateBenchOptions& options, const char* who, int64_t batch,
                       const InferenceSpeed& speed) {
  return fmt::format("{:<14} {:>6} {:>10.0f} {:>10.2f} {:>10.3f} {:>9.2f} {:>9.1f}", who, batch,
                     tokens_per_second(options, batch, speed), speed.seconds, speed.prompt_seconds,
                     step_milliseconds(options, speed), static_cast<double>(speed.peak_bytes) / (1 << 30));
}

base::Json speed_json(const GenerateBenchOptions& options, int64_t batch, const InferenceSpeed& speed) {
  return {{"seconds", speed.seconds},
          {"prompt_seconds", speed.prompt_seconds},
          {"step_milliseconds", step_milliseconds(options, speed)},
          {"tokens_per_second", tokens_per_second(options, batch, speed)},
          {"peak_bytes", speed.peak_bytes}};
}

}  // namespace

GenerateBenchResult measure_generation(const GenerateBenchOptions& options) {
  ops::use_cpu_threads(0);
  GenerateBenchResult result;
  for (const int64_t batch : options.batches)
    result.rows.push_back({batch, measure_inference(options.speed, batch), {}});
  if (!options.python.empty()) measure_reference(options, result);
  return result;
}

std::string render_generation(const GenerateBenchOptions& options, const GenerateBenchResult& result) {
  const InferenceSpeedOptions& speed = options.speed;
  std::string out = fmt::format(
      "{}: prompts of {} tokens, {} new ones, greedy, {}, {}\n{:<14} {:>6} {:>10} {:>10} {:>10} {:>9} "
      "{:>9}\n",
      options.name, speed.prompt, speed.new_tokens, speed.placement.dtype, speed.placement.device, "",
      "batch", "tokens/s", "seconds", "prompts s", "ms/step", "peak GiB");
  for (const GenerateBenchRow& row : result.rows) {
    out += table_line(options, "cuset", row.batch, row.ours) + "\n";
    if (!row.transformers) continue;
    out += fmt::format("{}  cuset is {:.1f} times as fast\n",
                       table_line(options, "transformers", row.batch, *row.transformers),
                       row.transformers->seconds / row.ours.seconds);
  }
  return out;
}

base::Json to_json(const GenerateBenchOptions& options, const GenerateBenchResult& result) {
  base::Json rows = base::Json::array();
  for (const GenerateBenchRow& row : result.rows) {
    base::Json made = {{"batch", row.batch}, {"cuset", speed_json(options, row.batch, row.ours)}};
    if (row.transformers) {
      made["transformers"] = speed_json(options, row.batch, *row.transformers);
      made["ratio"] = row.transformers->seconds / row.ours.seconds;
    }
    rows.push_back(std::move(made));
  }
  return {{"model", options.name}, {"job", job_of(options)}, {"rows", std::move(rows)}};
}

}  // namespace cuset::study
