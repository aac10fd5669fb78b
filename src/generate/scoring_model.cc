#include "generate/scoring_model.h"

#include <torch/types.h>
#include <torch/utils.h>

#include "base/console.h"
#include "base/error.h"
#include "base/human_readable.h"
#include "base/log.h"
#include "base/seconds_since.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "ops/device/cpu_threads.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::generate {
namespace {

model::Decoder load(const ScoringModelOptions& options, const model::Placement& placement) {
  const base::StatusLine status("loading the model");
  const model::ModelConfig config = model::read_model_config(options.folder);
  model::Decoder decoder(config,
                         model::load_model_weights(options.folder, config, model::weight_options(placement)));
  if (!options.adapter.empty()) {
    const model::Adapter adapter = model::read_adapter(options.adapter, config);
    model::warn_of_other_base(adapter, options.adapter, options.folder);
    decoder.add_adapter(adapter.settings, base::RandomStream(0, "adapter"));
    decoder.load_adapter(adapter);
  }
  return decoder;
}

// The rows of a pack that predict wanted tokens.
struct WantedRows {
  std::vector<std::vector<int64_t>> samples;  // ids
  std::vector<int64_t> positions, targets;    // per row, of the pack
  std::vector<size_t> borders = {0};          // per sequence
};

WantedRows gather(std::span<const ScoredSequence> sequences) {
  WantedRows rows;
  int64_t first = 0;
  for (const ScoredSequence& sequence : sequences) {
    CUSET_CHECK(sequence.ids.size() == sequence.is_wanted.size(), "{} ids, {} marks", sequence.ids.size(),
                sequence.is_wanted.size());
    rows.samples.emplace_back(sequence.ids.begin(), sequence.ids.end());
    for (size_t i = 1; i < sequence.ids.size(); ++i) {
      if (sequence.is_wanted[i] == 0) continue;
      rows.positions.push_back(first + static_cast<int64_t>(i) - 1);
      rows.targets.push_back(sequence.ids[i]);
    }
    first += std::ssize(sequence.ids);
    rows.borders.push_back(rows.positions.size());
  }
  return rows;
}

}  // namespace

int64_t positions_of_model(const std::filesystem::path& folder) {
  return model::read_model_config(folder).max_positions;
}

struct ScoringModel::Parts {
  explicit Parts(model::Decoder loaded) : decoder(std::move(loaded)) {}

  model::Decoder decoder;
};

ScoringModel::ScoringModel(const ScoringModelOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ops::use_cpu_threads(options.placement.threads);
  const model::Placement placement = options.placement.resolve();
  parts_ = std::make_unique<Parts>(load(options, placement));
  base::log_info("model: {} ({} weights, {} on {}), loaded in {}", options.folder.string(),
                 base::human_count(static_cast<double>(parts_->decoder.config().parameters())),
                 placement.dtype, placement.device, base::human_duration(base::seconds_since(start)));
}

ScoringModel::~ScoringModel() = default;

int64_t ScoringModel::vocabulary() const { return parts_->decoder.config().vocab; }

std::vector<std::vector<float>> ScoringModel::probabilities(std::span<const ScoredSequence> sequences) {
  const torch::NoGradGuard no_gradient;
  const WantedRows rows = gather(sequences);
  model::Decoder& decoder = parts_->decoder;
  const auto on_device = [&](const std::vector<int64_t>& values) {
    return torch::tensor(values, torch::kInt64).to(decoder.device());
  };
  const auto hidden = decoder.hidden(model::make_token_batch(rows.samples, decoder.device()), {})
                          .index_select(0, on_device(rows.positions));
  ops::LinearCrossEntropyOptions options;
  options.gradient = false;
  const ops::LinearCrossEntropy metrics =
      ops::linear_cross_entropy(hidden, decoder.head().value, on_device(rows.targets), options);
  const auto p = metrics.log_probability.exp().to(torch::kFloat32).cpu().contiguous();
  const float* values = p.data_ptr<float>();
  std::vector<std::vector<float>> found;
  for (size_t i = 0; i < sequences.size(); ++i) {
    found.emplace_back(values + rows.borders[i], values + rows.borders[i + 1]);
  }
  return found;
}

}  // namespace cuset::generate
