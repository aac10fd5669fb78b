#include "study/analysis_run.h"

#include <algorithm>

#include "base/error.h"
#include "base/json/run_claim.h"
#include "base/log.h"
#include "generate/fingerprint.h"
#include "study/code_inputs.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

// Examples with the confidences of their tokens, and what the analysis takes of them.
struct Measured {
  std::vector<data::Example> examples;
  std::vector<std::vector<float>> confidences;  // [examples]
  std::vector<AnalyzedSample> samples;
  std::vector<size_t> example_of;  // [samples]
};

std::string_view name_of(data::OverLength over_length) {
  if (over_length == data::OverLength::kDrop) return "drop";
  return over_length == data::OverLength::kError ? "error" : "truncate";
}

size_t most_tokens(const AnalysisRequest& request) {
  const int64_t positions = generate::positions_of_model(request.model.folder);
  return positions > 0 ? std::min(request.max_tokens, static_cast<size_t>(positions)) : request.max_tokens;
}

// What decides a confidence.
base::Json identity_of(const AnalysisRequest& request, const std::vector<fs::path>& files) {
  const model::Placement placement = request.model.placement.resolve();
  const fs::path& adapter = request.model.adapter;
  return {
      {"model_hash", generate::fingerprint_of(generate::files_of_model(request.model.folder))},
      {"adapter_hash", adapter.empty() ? "" : generate::fingerprint_of(generate::files_of_adapter(adapter))},
      {"data_hash", generate::fingerprint_of(files)},
      {"cutoff_len", most_tokens(request)},
      {"over_length", name_of(request.over_length)},
      {"dtype", placement.dtype},
      {"device", placement.device}};
}

// The record is written anew each time: a later run may ask for other windows of the same confidences.
void claim(const AnalysisRequest& request, const std::vector<fs::path>& files) {
  const fs::path record = request.output / "run.json";
  const base::Json identity = identity_of(request, files);
  base::claim_run(record, identity, request.about, "confidences");
  base::Json run = identity;
  run["model"] = request.model.folder.string();
  run["adapter"] = request.model.adapter.string();
  run["data"] = request.data;
  if (request.about.is_object()) run.update(request.about);
  base::write_json_file(record, run);
}

data::Dataset read_dataset(const AnalysisRequest& request, const std::vector<fs::path>& files) {
  data::ExampleOptions options;
  options.answer.regions.sensitivity = true;
  options.answer.regions.device_functions = request.device_functions;
  const data::ExampleBuilder builder = data::ExampleBuilder::from_model_folder(request.model.folder, options);
  data::Dataset dataset =
      data::build_dataset(read_code(files, request.max_samples), builder,
                          {.max_tokens = most_tokens(request), .over_length = request.over_length});
  if (dataset.truncated > 0) {
    base::log_info("{} of {} samples are cut to {} tokens", dataset.truncated, dataset.rows,
                   most_tokens(request));
  }
  if (!dataset.dropped.empty()) {
    const data::DroppedRow& first = dataset.dropped.front();
    base::log_warning("{} of {} samples are left out, as {}: {}: {}", dataset.dropped.size(), dataset.rows,
                      first.place, data::name_of(first.reason), first.detail);
  }
  return dataset;
}

void label_all(const AnalysisRequest& request, Measured& measured) {
  for (size_t i = 0; i < measured.examples.size(); ++i) {
    std::optional<AnalyzedSample> sample = label_tokens(measured.examples[i], measured.confidences[i],
                                                        {request.analysis.sensitivity, request.scope});
    if (!sample) continue;
    measured.samples.push_back(std::move(*sample));
    measured.example_of.push_back(i);
  }
  const size_t without = measured.examples.size() - measured.samples.size();
  if (measured.samples.empty()) {
    throw base::Error("none of the {} samples holds code", without)
        .with_remedy("give programs, or analyze whole responses with --scope response");
  }
  if (without > 0) base::log_warning("{} of {} samples hold no code", without, measured.examples.size());
}

// Samples from that with the lowest window to that whose lowest window is highest, evenly spaced.
std::vector<size_t> choose_samples(const Measured& measured, const Analysis& analysis, size_t most) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < measured.samples.size(); ++i) {
    double lowest = 1;
    for (const ConfidenceWindow& window :
         windows_of(measured.samples[i], analysis.windows.threshold, analysis.options.windows)) {
      lowest = std::min(lowest, window.confidence);
    }
    order.emplace_back(lowest, i);
  }
  std::sort(order.begin(), order.end());
  const size_t count = std::min(most, order.size());
  std::vector<size_t> chosen;
  for (size_t i = 0; i < count; ++i) {
    chosen.push_back(order[count == 1 ? 0 : i * (order.size() - 1) / (count - 1)].second);
  }
  return chosen;
}

}  // namespace

std::optional<Analysis> run_analysis(const AnalysisRequest& request) {
  const std::vector<fs::path> files = find_code_files(request.data);
  Measured measured;
  measured.examples = read_dataset(request, files).examples;
  claim(request, files);
  std::optional<std::vector<std::vector<float>>> confidences = measure_confidence(
      {request.model, request.batch_tokens, request.output / "confidences.jsonl"}, measured.examples);
  if (!confidences) return std::nullopt;
  measured.confidences = std::move(*confidences);
  label_all(request, measured);
  Analysis analysis = analyze(measured.samples, request.analysis);
  analysis.model = request.model.folder.string();
  analysis.adapter = request.model.adapter.string();
  analysis.data = request.data;
  for (const size_t sample : choose_samples(measured, analysis, request.kernels)) {
    const size_t i = measured.example_of[sample];
    analysis.kernels.push_back(
        draw_heat_map(measured.examples[i], measured.confidences[i], request.objective));
  }
  write_analysis(request.output, analysis, measured.samples);
  return analysis;
}

}  // namespace cuset::study
