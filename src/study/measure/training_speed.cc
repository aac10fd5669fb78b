#include "study/measure/training_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "objective/settings.h"
#include "ops/device/cpu_threads.h"
#include "ops/device/determinism.h"
#include "ops/device/memory.h"
#include "study/measure/python_reference.h"
#include "study/measure/training_speed_reference.h"
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

// Steps of any objective over the same weights and tokens.
class StepBench {
 public:
  // Throws Error for a configuration that is not supported, and what Placement::resolve throws.
  explicit StepBench(const StepSpeedOptions& chosen)
      : options_(chosen),
        config_(model::model_config_from_json(chosen.config, "config.json")),
        placement_(chosen.placement.resolve()),
        weights_(model::weight_options(placement_)),
        batch_(random_batch(config_, chosen, weights_.device)),
        decoder_(make_decoder(config_, chosen, weights_)),
        optimizer_(decoder_.trained(), {}) {
    ops::set_deterministic_operations(chosen.deterministic);
  }

  StepSpeed measure(const objective::ObjectiveSettings& objective) {
    const int gpu = placement_.gpu_index();
    StepSpeed speed;
    for (int i = 0; i < options_.warm_up; ++i) step(objective, speed.gradient_norm);
    ops::wait_for_gpu();
    ops::reset_peak_gpu_memory(gpu);
    std::vector<double> seconds;
    for (int i = 0; i < options_.steps; ++i) {
      const auto start = std::chrono::steady_clock::now();
      speed.loss = step(objective, speed.gradient_norm);  // reads metrics back, so it waits for the GPU
      ops::wait_for_gpu();
      seconds.push_back(base::seconds_since(start));
    }
    std::sort(seconds.begin(), seconds.end());
    speed.median_seconds = seconds[seconds.size() / 2];
    speed.fastest_seconds = seconds[0];
    speed.peak_bytes = ops::peak_gpu_memory(gpu);
    speed.tokens_per_second = static_cast<double>(options_.samples * options_.tokens) / speed.median_seconds;
    return speed;
  }

 private:
  // Returns the loss per token.
  double step(const objective::ObjectiveSettings& objective, double& gradient_norm) {
    const auto rows = static_cast<double>(batch_.rows.targets.numel());
    train::ForwardBackwardOptions pass;
    pass.objective = objective;
    pass.dropout = options_.all_weights ? 0 : options_.lora_dropout;
    pass.dropout_seed = static_cast<uint64_t>(optimizer_.steps_done());
    pass.recompute = options_.recompute;
    pass.gradient_scale = 1 / rows;
    decoder_.trained().zero_gradient();
    const objective::ObjectiveResult result = train::forward_backward(decoder_, batch_, pass);
    const auto norm = train::clip_gradient(decoder_.trained().gradient(), kMaxNorm);
    optimizer_.step(kLearningRate);
    gradient_norm = norm.item<double>();
    return result.loss_sum.item<double>() / rows;
  }

  StepSpeedOptions options_;
  model::ModelConfig config_;
  model::Placement placement_;
  model::WeightOptions weights_;
  train::TrainingBatch batch_;
  model::Decoder decoder_;
  train::Optimizer optimizer_;
};

base::Json decoder_config(const char* model_type, const char* architecture, base::Json sizes) {
  base::Json config = {{"model_type", model_type}, {"architectures", {architecture}},
                       {"hidden_act", "silu"},     {"max_position_embeddings", 32768},
                       {"rms_norm_eps", 1e-6},     {"torch_dtype", "bfloat16"}};
  for (const auto& [key, value] : sizes.items()) config[key] = value;
  return config;
}

base::Json sizes_of(int64_t hidden, int64_t layers, int64_t heads, int64_t kv_heads) {
  return {{"hidden_size", hidden},
          {"num_hidden_layers", layers},
          {"num_attention_heads", heads},
          {"num_key_value_heads", kv_heads}};
}

base::Json with(base::Json sizes, int64_t intermediate, int64_t vocab, double theta, bool tied) {
  sizes["intermediate_size"] = intermediate;
  sizes["vocab_size"] = vocab;
  sizes["rope_theta"] = theta;
  sizes["tie_word_embeddings"] = tied;
  return sizes;
}

base::Json qwen3(base::Json sizes) {
  sizes["head_dim"] = 128;
  return decoder_config("qwen3", "Qwen3ForCausalLM", std::move(sizes));
}

// `sizes` has the width of a dense layer, which these models do not use.
base::Json qwen3_moe(base::Json sizes, int64_t experts, int64_t expert_width) {
  sizes.update({{"head_dim", 128},
                {"num_experts", experts},
                {"num_experts_per_tok", 8},
                {"moe_intermediate_size", expert_width},
                {"norm_topk_prob", true}});
  return decoder_config("qwen3_moe", "Qwen3MoeForCausalLM", std::move(sizes));
}

base::Json mistral(base::Json sizes) {
  sizes["sliding_window"] = nullptr;
  sizes["head_dim"] = 128;
  return decoder_config("mistral", "MistralForCausalLM", std::move(sizes));
}

struct TrainedShape {
  const char* name;
  base::Json config;
};

std::vector<TrainedShape> all_shapes() {
  const auto qwen2 = [](base::Json sizes) {
    return decoder_config("qwen2", "Qwen2ForCausalLM", std::move(sizes));
  };
  const auto llama = [](base::Json sizes) {
    return decoder_config("llama", "LlamaForCausalLM", std::move(sizes));
  };
  return {{"qwen2.5-1.5b", qwen2(with(sizes_of(1536, 28, 12, 2), 8960, 151936, 1e6, true))},
          {"qwen2.5-3b", qwen2(with(sizes_of(2048, 36, 16, 2), 11008, 151936, 1e6, true))},
          {"qwen2.5-7b", qwen2(with(sizes_of(3584, 28, 28, 4), 18944, 152064, 1e6, false))},
          {"qwen2.5-14b", qwen2(with(sizes_of(5120, 48, 40, 8), 13824, 152064, 1e6, false))},
          {"qwen3-4b", qwen3(with(sizes_of(2560, 36, 32, 8), 9728, 151936, 1e6, true))},
          {"qwen3-30b-a3b", qwen3_moe(with(sizes_of(2048, 48, 32, 4), 6144, 151936, 1e6, false), 128, 768)},
          {"mistral-7b", mistral(with(sizes_of(4096, 32, 32, 8), 14336, 32768, 1e6, false))},
          {"devstral-24b", mistral(with(sizes_of(5120, 40, 32, 8), 32768, 131072, 1e9, false))},
          {"llama-3.1-8b", llama(with(sizes_of(4096, 32, 32, 8), 14336, 128256, 5e5, false))},
          {"deepseek-coder-6.7b", llama(with(sizes_of(4096, 32, 32, 32), 11008, 32256, 1e5, false))},
          {"tiny-7m", llama(with(sizes_of(256, 8, 8, 8), 704, 2048, 1e4, true))}};
}

// What the comparison is asked for, as training_speed_reference.py reads it.
base::Json job_of(const TrainBenchOptions& options) {
  return {{"config", options.step.config},
          {"rank", options.step.lora_rank},
          {"dropout", options.step.lora_dropout},
          {"samples", options.step.samples},
          {"tokens", options.step.tokens},
          {"steps", options.step.steps},
          {"warm_up", options.step.warm_up},
          {"device", options.step.placement.device},
          {"bfloat16", options.step.placement.is_bfloat16()},
          {"objectives", options.objectives},
          {"compiled", options.compiled},
          {"recompute", options.step.recompute}};
}

TrainBenchRow row_of(const base::Json& answer, const StepSpeedOptions& step) {
  StepSpeed speed;
  speed.median_seconds = answer.at("median");
  speed.fastest_seconds = answer.at("fastest");
  speed.peak_bytes = answer.at("peak");
  speed.loss = answer.at("loss");
  speed.gradient_norm = answer.at("norm");
  speed.tokens_per_second = static_cast<double>(step.samples * step.tokens) / speed.median_seconds;
  return {
      fmt::format("{}, {}", answer.at("who").get<std::string>(), answer.at("objective").get<std::string>()),
      speed};
}

void measure_reference(const TrainBenchOptions& options, TrainBenchResult& result) {
  const BenchReference reference = run_bench_reference(kBenchTrainReference, job_of(options), options.python);
  for (const base::Json& answer : reference.answers) result.rows.push_back(row_of(answer, options.step));
  result.missing = reference.missing;
}

}  // namespace

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const TrainedShape& shape : all_shapes()) names.emplace_back(shape.name);
  return names;
}

base::Json shape_named(const std::string& name) {
  for (TrainedShape& shape : all_shapes()) {
    if (shape.name == name) return std::move(shape.config);
  }
  throw base::UsageError("--shape: unknown shape {}{}", base::in_quotes(name),
                         base::did_you_mean(name, shape_names()))
      .with_remedy("known are {}", fmt::join(shape_names(), ", "));
}

TrainBenchResult measure_training(const TrainBenchOptions& options) {
  ops::use_cpu_threads(0);
  TrainBenchResult result;
  {
    StepBench bench(options.step);
    for (const std::string& objective : options.objectives) {
      const auto settings = objective::defaults_of(objective::method_named(objective));
      result.rows.push_back({"cuset, " + objective, bench.measure(settings)});
    }
  }
  if (!options.python.empty()) measure_reference(options, result);
  return result;
}

std::string render_training(const TrainBenchOptions& options, const TrainBenchResult& result) {
  const StepSpeedOptions& step = options.step;
  const std::string trained =
      step.all_weights ? "all weights"
                       : fmt::format("LoRA rank {}, dropout {}", step.lora_rank, step.lora_dropout);
  std::string out =
      fmt::format("{}: {} x {} tokens, {}, {}, {}\n{:<34} {:>9} {:>9} {:>10} {:>10} {:>9} {:>10}\n",
                  options.name, step.samples, step.tokens, trained, step.placement.dtype,
                  step.placement.device, "", "ms", "fastest", "tokens/s", "peak GiB", "loss", "grad norm");
  for (const TrainBenchRow& row : result.rows) {
    out += fmt::format("{:<34} {:>9.1f} {:>9.1f} {:>10.0f} {:>10.1f} {:>9.4f} {:>10.4f}\n", row.who,
                       row.speed.median_seconds * 1e3, row.speed.fastest_seconds * 1e3,
                       row.speed.tokens_per_second, static_cast<double>(row.speed.peak_bytes) / (1 << 30),
                       row.speed.loss, row.speed.gradient_norm);
  }
  return out;
}

base::Json to_json(const TrainBenchOptions& options, const TrainBenchResult& result) {
  base::Json rows = base::Json::array();
  for (const TrainBenchRow& row : result.rows) {
    rows.push_back({{"who", row.who},
                    {"median_seconds", row.speed.median_seconds},
                    {"fastest_seconds", row.speed.fastest_seconds},
                    {"tokens_per_second", row.speed.tokens_per_second},
                    {"peak_bytes", row.speed.peak_bytes},
                    {"loss", row.speed.loss},
                    {"gradient_norm", row.speed.gradient_norm}});
  }
  return {{"model", options.name}, {"job", job_of(options)}, {"rows", std::move(rows)}};
}

}  // namespace cuset::study
