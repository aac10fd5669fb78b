#include "study/row_confidence.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/files/sha256.h"
#include "base/log.h"
#include "data/dataset.h"
#include "generate/fingerprint.h"
#include "study/confidence_run.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

data::Dataset examples_of(const std::vector<data::Sample>& samples, const fs::path& folder) {
  const int64_t positions = generate::positions_of_model(folder);
  data::DatasetOptions options;
  options.max_tokens = positions > 0 ? static_cast<size_t>(positions) : std::numeric_limits<size_t>::max();
  options.over_length = data::OverLength::kTruncate;
  options.keep_text = false;
  data::Dataset dataset =
      data::build_dataset(samples, data::ExampleBuilder::from_model_folder(folder), options);
  if (dataset.truncated > 0)
    base::log_info("confidence: of {} of {} rows the model reads the first {} tokens", dataset.truncated,
                   dataset.rows, options.max_tokens);
  if (!dataset.dropped.empty())
    base::log_warning("confidence: {} of {} rows are kept unread, as {}: {}", dataset.dropped.size(),
                      dataset.rows, dataset.dropped.front().place, dataset.dropped.front().detail);
  return dataset;
}

}  // namespace

std::string key_of_reader(const generate::ScoringModelOptions& model) {
  const model::Placement placement = model.placement.resolve();
  std::string key = generate::fingerprint_of(generate::files_of_model(model.folder));
  if (!model.adapter.empty()) key += generate::fingerprint_of(generate::files_of_adapter(model.adapter));
  return base::sha256(fmt::format("{} {} {}", key, placement.device, placement.dtype));
}

std::optional<std::vector<double>> unlikely_shares(const generate::ScoringModelOptions& model, double tau,
                                                   const std::vector<data::Sample>& samples,
                                                   const fs::path& file) {
  const data::Dataset dataset = examples_of(samples, model.folder);
  const auto confidences = measure_confidence({.model = model, .file = file}, dataset.examples);
  if (!confidences) return std::nullopt;
  std::unordered_map<std::string, double> share_of;
  for (size_t i = 0; i < dataset.examples.size(); ++i) {
    const std::vector<float>& p = confidences->at(i);
    const auto unlikely = std::count_if(p.begin(), p.end(), [&](float value) { return value <= tau; });
    share_of[dataset.examples[i].place] =
        p.empty() ? 0 : static_cast<double>(unlikely) / static_cast<double>(p.size());
  }
  std::vector<double> shares;
  for (const data::Sample& sample : samples) {
    const auto found = share_of.find(sample.place);
    shares.push_back(found == share_of.end() ? 0 : found->second);
  }
  return shares;
}

}  // namespace cuset::study
