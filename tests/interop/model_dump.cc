// The model as a test script sees it. One JSON request per line on standard input:
//   {"model", "type", "samples": [[ids]...]}  and where wanted
//   "adapter": folder                                     loads it
//   "new_adapter": {"r", "alpha", "rslora", "targets"}    draws one, both halves random
//   "train_all": true                                     trains every weight
//   "gradients": true                                     of the mean cross-entropy of all next tokens
//   "recompute": true
//   "write_adapter": folder
//   "out": file                                           safetensors: "logits" [tokens, vocab], "gradient.NAME"; float32
// or {"merge": {"model", "adapter", "out", "type"}}.
// One JSON answer per line: {}, {"merged_difference", "limit"} or {"error"}.
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <string>

#include "answer_lines.h"
#include "base/error.h"
#include "base/json/json.h"
#include "model/adapter.h"
#include "model/decoder.h"
#include "model/files/config.h"
#include "model/merge.h"
#include "model/model_folder.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::tests {
namespace {

using Samples = std::vector<std::vector<int64_t>>;

torch::ScalarType type_named(const std::string& name) {
  if (name == "bfloat16") return torch::kBFloat16;
  return name == "float64" ? torch::kFloat64 : torch::kFloat32;
}

model::LoraSettings settings_of(const base::Json& request) {
  model::LoraSettings settings;
  settings.rank = request.at("r");
  settings.alpha = request.at("alpha");
  settings.rank_stabilized = request.at("rslora");
  settings.targets = request.at("targets").get<std::vector<std::string>>();
  return settings;
}

void choose_what_is_trained(model::Decoder& decoder, const base::Json& request) {
  const base::RandomStream stream(1, "adapter");
  if (request.contains("adapter")) {
    const model::Adapter adapter =
        model::read_adapter(request["adapter"].get<std::string>(), decoder.config());
    decoder.add_adapter(adapter.settings, stream);
    decoder.load_adapter(adapter);
  } else if (request.contains("new_adapter")) {
    decoder.add_adapter(settings_of(request["new_adapter"]), stream);
    torch::manual_seed(1);
    decoder.trained().master().normal_(0, 0.1);
    decoder.trained().refresh_compute();
  } else if (request.value("train_all", false)) {
    decoder.train_all();
  }
}

// Rows whose next token belongs to the same sample, and those tokens.
std::pair<torch::Tensor, torch::Tensor> predictions(const Samples& samples) {
  std::vector<int64_t> rows;
  std::vector<int64_t> targets;
  int64_t begin = 0;
  for (const auto& sample : samples) {
    for (size_t i = 0; i + 1 < sample.size(); ++i) {
      rows.push_back(begin + static_cast<int64_t>(i));
      targets.push_back(sample[i + 1]);
    }
    begin += static_cast<int64_t>(sample.size());
  }
  return {torch::tensor(rows, torch::kInt64), torch::tensor(targets, torch::kInt64)};
}

void run_backward(model::Decoder& decoder, const torch::Tensor& hidden, const Samples& samples) {
  const auto [rows, targets] = predictions(samples);
  const double weight = 1.0 / static_cast<double>(rows.numel());
  const auto used = hidden.detach().index_select(0, rows);
  const auto result = ops::linear_cross_entropy(used, decoder.head().value, targets);
  if (decoder.head().is_trained()) {
    const auto weights = torch::full({rows.numel()}, weight, torch::kFloat32);
    ops::add_head_weight_gradient(used, decoder.head(), targets, {.loss_weights = weights});
  }
  const auto gradient =
      torch::zeros_like(hidden).index_copy(0, rows, result.hidden_gradient.to(hidden.scalar_type()) * weight);
  torch::autograd::backward({hidden}, {gradient});
}

void write_results(model::Decoder& decoder, const torch::Tensor& hidden, const base::Json& request) {
  std::vector<model::NamedTensor> tensors;
  const auto logits = ops::head_logits(hidden.detach(), decoder.head().value);
  tensors.push_back({"logits", logits.to(torch::kFloat32).contiguous()});
  if (request.value("gradients", false)) {
    for (const model::TrainedWeight& weight : decoder.trained().weights()) {
      const auto gradient = decoder.trained().parameter(weight.name).gradient;
      tensors.push_back({"gradient." + weight.name, gradient.to(torch::kFloat32)});
    }
  }
  model::write_safetensors(request.at("out").get<std::string>(), tensors);
}

void run_model(const base::Json& request) {
  const std::string folder = request.at("model");
  const model::ModelConfig config = model::read_model_config(folder);
  const model::WeightOptions options{.type = type_named(request.at("type")), .device = torch::kCPU};
  model::Decoder decoder(config, model::load_model_weights(folder, config, options));
  choose_what_is_trained(decoder, request);
  const auto samples = request.at("samples").get<Samples>();
  const auto batch = model::make_token_batch(samples, torch::kCPU);
  const bool gradients = request.value("gradients", false);
  const torch::AutoGradMode mode(gradients);
  const auto hidden = decoder.hidden(batch, {.recompute = request.value("recompute", false)});
  if (gradients) run_backward(decoder, hidden, samples);
  write_results(decoder, hidden, request);
  if (request.contains("write_adapter")) {
    model::write_adapter(request["write_adapter"].get<std::string>(), decoder.adapter(folder));
  }
}

base::Json run_merge(const base::Json& request) {
  const model::MergeCheck check = model::merge_adapter({.model = request.at("model").get<std::string>(),
                                                        .adapter = request.at("adapter").get<std::string>(),
                                                        .output = request.at("out").get<std::string>(),
                                                        .type = request.at("type").get<std::string>()});
  return {{"merged_difference", check.merged_difference}, {"limit", check.limit}};
}

base::Json answer(const base::Json& request) {
  try {
    if (request.contains("merge")) return run_merge(request["merge"]);
    run_model(request);
    return base::Json::object();
  } catch (const base::Error& error) {
    return {{"error", error.one_line()}};
  }
}

}  // namespace
}  // namespace cuset::tests

int main() {
  torch::set_num_threads(1);
  return cuset::tests::answer_lines(cuset::tests::answer);
}
