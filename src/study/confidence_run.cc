#include "study/confidence_run.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/console.h"
#include "base/error.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "base/jsonl.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/seconds_since.h"
#include "data/packing.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "ops/head.h"
#include "train/training_batch.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

using Confidences = std::vector<std::vector<float>>;  // of examples

// The double with the fewest digits that reads back as this float.
double shortest(float value) { return std::stod(fmt::format("{}", value)); }

// What earlier runs found out, by sample.
std::unordered_map<std::string, std::vector<float>> read_known(const fs::path& file) {
  std::unordered_map<std::string, std::vector<float>> known;
  if (!fs::exists(file)) return known;
  JsonlReader reader(file, {.torn_line = TornLine::kIgnore});
  while (const std::optional<Json> line = reader.next()) {
    const bool is_ours = line->is_object() && line->contains("sample") && (*line)["sample"].is_string() &&
                         line->contains("p") && (*line)["p"].is_array();
    if (!is_ours) {
      throw Error("{}: not a line of confidences", reader.place()).with_remedy("choose another --output-dir");
    }
    std::vector<float>& values = known[(*line)["sample"].get<std::string>()];
    values.clear();
    for (const Json& p : (*line)["p"]) values.push_back(p.is_number() ? p.get<float>() : 0.0F);
  }
  return known;
}

Decoder load_decoder(const StudiedModel& model) {
  const auto start = std::chrono::steady_clock::now();
  const StatusLine status("loading the model");
  if (model.threads > 0) torch::set_num_threads(static_cast<int>(model.threads));
  const ModelPlacement placement = placement_of(model);
  const WeightOptions options{
      placement.dtype == "bfloat16" ? torch::kBFloat16 : torch::kFloat32,
      placement.device == "cuda" ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU)};
  const ModelConfig config = read_model_config(model.folder);
  Decoder decoder(config, load_model_weights(model.folder, config, options));
  if (!model.adapter.empty()) {
    const Adapter adapter = read_adapter(model.adapter, config);
    decoder.add_adapter(adapter.settings, RandomStream(0, "adapter"));
    decoder.load_adapter(adapter);
  }
  log_info("model: {} ({} weights, {} on {}), loaded in {}", model.folder.string(),
           human_count(static_cast<double>(config.parameters())), placement.dtype, placement.device,
           human_duration(seconds_since(start)));
  return decoder;
}

// p of every supervised token of the pack, [rows] float32 on the CPU.
torch::Tensor confidences_of(Decoder& decoder, const TrainingBatch& batch) {
  const torch::NoGradGuard no_gradient;
  const auto hidden = decoder.hidden(batch.tokens, {}).index_select(0, batch.rows.positions);
  const HeadRows rows = head_rows(hidden, decoder.head().value, batch.rows.targets, {.gradient = false});
  return rows.log_probability.exp().to(torch::kFloat32).cpu().contiguous();
}

class ConfidenceRun {
 public:
  ConfidenceRun(const StudiedModel& model, const std::vector<Example>& examples, const fs::path& file)
      : model_(model), examples_(examples), file_(file), confidences_(examples.size()) {
    const auto known = read_known(file);
    for (size_t i = 0; i < examples.size(); ++i) {
      const size_t wanted = static_cast<size_t>(supervised_tokens(examples[i]));
      const auto found = known.find(examples[i].place);
      total_ += wanted;
      if (found == known.end() || found->second.size() != wanted) {
        missing_.push_back(i);
      } else {
        confidences_[i] = found->second;
        done_ += wanted;
      }
    }
  }

  std::optional<Confidences> run() {
    if (missing_.size() < examples_.size()) {
      log_info("confidences of {} of {} samples are there already", examples_.size() - missing_.size(),
               examples_.size());
    }
    if (missing_.empty()) return std::move(confidences_);
    Decoder decoder = load_decoder(model_);
    refuse_ids_outside(examples_, decoder.config().vocab);
    JsonlWriter writer(file_);
    Progress progress({.title = "confidence", .total = total_, .unit = "tokens", .done = done_});
    for (const std::vector<size_t>& pack : packs()) {
      if (is_interrupt_requested()) return std::nullopt;
      measure(pack, decoder, writer);
      for (const size_t i : pack) progress.add(confidences_[i].size());
    }
    writer.flush();
    progress.finish();
    return std::move(confidences_);
  }

 private:
  // The missing examples in packs.
  std::vector<std::vector<size_t>> packs() const {
    std::vector<size_t> lengths;
    for (const size_t i : missing_) lengths.push_back(examples_[i].ids.size());
    const size_t capacity =
        std::max(static_cast<size_t>(model_.batch_tokens), *std::max_element(lengths.begin(), lengths.end()));
    std::vector<std::vector<size_t>> packs;
    for (const Pack& pack : pack_examples(lengths, capacity, RandomStream(0, "confidence"))) {
      std::vector<size_t>& members = packs.emplace_back();
      for (const size_t place : pack.examples) members.push_back(missing_[place]);
    }
    return packs;
  }

  void measure(const std::vector<size_t>& pack, Decoder& decoder, JsonlWriter& writer) {
    std::vector<const Example*> members;
    for (const size_t i : pack) members.push_back(&examples_[i]);
    const TrainingBatch batch = make_training_batch(members, {}, decoder.device());
    const torch::Tensor p = confidences_of(decoder, batch);
    for (size_t i = 0; i < pack.size(); ++i) {
      const float* values = p.data_ptr<float>();
      keep(pack[i], {values + batch.rows.borders[i], values + batch.rows.borders[i + 1]}, writer);
    }
  }

  void keep(size_t example, std::vector<float> values, JsonlWriter& writer) {
    const std::string& place = examples_[example].place;
    Json numbers = Json::array();
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        throw Error("{}: the model's probability of token {} of the response is not a number", place, i + 1)
            .with_remedy("its weights are faulty, or overflow: try --dtype float32");
      }
      // A softmax may be off by a rounding.
      values[i] = std::clamp(values[i], 0.0F, 1.0F);
      numbers.push_back(shortest(values[i]));
    }
    writer.append({{"sample", place}, {"p", std::move(numbers)}});
    confidences_[example] = std::move(values);
  }

  const StudiedModel& model_;
  const std::vector<Example>& examples_;
  const fs::path& file_;
  Confidences confidences_;
  std::vector<size_t> missing_;
  uint64_t total_ = 0;  // tokens
  uint64_t done_ = 0;
};

}  // namespace

ModelPlacement placement_of(const StudiedModel& model) {
  ServedModelOptions options;
  options.device = model.device;
  options.dtype = model.dtype;
  return placement_of(options);
}

std::optional<Confidences> measure_confidence(const StudiedModel& model, const std::vector<Example>& examples,
                                              const fs::path& file) {
  return ConfidenceRun(model, examples, file).run();
}

}  // namespace cuset
