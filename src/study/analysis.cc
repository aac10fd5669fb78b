#include "study/analysis.h"

#include <algorithm>

#include "base/error.h"
#include "base/stats/rounding.h"

namespace cuset::study {
namespace {

constexpr const char* kRule =
    "a window is low where the mean confidence of its tokens is below the threshold, the mean confidence of "
    "neutral tokens; it counts for a structure where it holds a token of it whose own confidence is below "
    "the threshold";
constexpr double kLogOfTen = 2.302585092994045684;

double share(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

ShownWindow shown(const AnalyzedSample& sample, const ConfidenceWindow& window) {
  const AnalyzedToken& first = sample.tokens[window.begin];
  const AnalyzedToken& last = sample.tokens[window.end - 1];
  ShownWindow shown;
  shown.sample = sample.id;
  shown.begin_token = first.index;
  shown.end_token = size_t{last.index} + 1;
  shown.confidence = window.confidence;
  shown.kinds = window.kinds;
  shown.begins_line = first.begin == 0 || sample.text[first.begin - 1] == '\n';
  shown.line =
      1 + static_cast<size_t>(std::count(sample.text.begin(), sample.text.begin() + first.begin, '\n'));
  size_t at = first.begin;
  for (size_t i = window.begin; i < window.end; ++i) {
    const AnalyzedToken& token = sample.tokens[i];
    const size_t end = std::max<size_t>(at, token.end);
    shown.tokens.emplace_back(sample.text.substr(at, end - at), token.confidence);
    at = end;
  }
  shown.text = sample.text.substr(first.begin, at - first.begin);
  return shown;
}

base::Json json_of(const ConfidenceSpread& spread) {
  return {{"mean", spread.mean},
          {"median", spread.median},
          {"quartiles", {spread.lower_quartile, spread.upper_quartile}},
          {"density", spread.density}};
}

base::Json confidence_to_json(const TokenMetrics& tokens, KindSet sensitive) {
  base::Json kinds = base::Json::array();
  for (const KindConfidence& kind : tokens.kinds) {
    kinds.push_back({{"kind", cuda_source::name_of(kind.kind)},
                     {"sensitive", holds(sensitive, kind.kind)},
                     {"tokens", kind.tokens},
                     {"mean", kind.mean},
                     {"median", kind.median}});
  }
  return {{"edges", density_edges()},
          {"sensitive", json_of(tokens.sensitive)},
          {"neutral", json_of(tokens.neutral)},
          {"kinds", std::move(kinds)}};
}

base::Json test_to_json(const TokenMetrics& tokens) {
  return {{"statistic", tokens.test.statistic},
          {"p_value", tokens.test.p_value},
          {"log10_p_value", tokens.test.log_p_value / kLogOfTen},
          {"exact", tokens.test.exact},
          {"sensitive", tokens.sensitive.tokens},
          {"neutral", tokens.neutral.tokens}};
}

base::Json windows_to_json(const Analysis& analysis, KindSet sensitive) {
  const WindowMetrics& windows = analysis.windows;
  base::Json kinds = base::Json::array();
  for (const KindWindows& kind : windows.kinds) {
    kinds.push_back({{"kind", cuda_source::name_of(kind.kind)},
                     {"sensitive", holds(sensitive, kind.kind)},
                     {"low", kind.low},
                     {"share", share(kind.low, windows.low)},
                     {"all_share", share(kind.all, windows.count)}});
  }
  return {{"size", analysis.options.windows.size},
          {"stride", analysis.options.windows.stride},
          {"threshold", windows.threshold},
          {"rule", kRule},
          {"count", windows.count},
          {"low", windows.low},
          {"low_regions", windows.low_regions},
          {"samples_with_low", share(windows.samples_with_low, analysis.samples)},
          {"low_in_sensitive", share(windows.low_in_sensitive, windows.low)},
          {"all_in_sensitive", share(windows.all_in_sensitive, windows.count)},
          {"low_touching_sensitive", share(windows.low_touching, windows.low)},
          {"all_touching_sensitive", share(windows.all_touching, windows.count)},
          {"by_kind", std::move(kinds)}};
}

base::Json json_of(const ShownWindow& window) {
  base::Json kinds = base::Json::array();
  for (const cuda_source::RegionKind kind : kinds_in(window.kinds))
    kinds.push_back(cuda_source::name_of(kind));
  base::Json tokens = base::Json::array();
  for (const auto& [text, confidence] : window.tokens)
    tokens.push_back({text, base::five_digits(confidence)});
  return {{"sample", window.sample},       {"begin_token", window.begin_token},
          {"end_token", window.end_token}, {"confidence", window.confidence},
          {"line", window.line},           {"text", window.text},
          {"kinds", std::move(kinds)},     {"tokens", std::move(tokens)}};
}

}  // namespace

Analysis analyze(std::span<const AnalyzedSample> samples, const AnalysisOptions& options) {
  if (samples.empty()) throw base::Error("no sample to analyze");
  Analysis analysis;
  analysis.samples = samples.size();
  analysis.options = options;
  analysis.tokens = token_metrics(samples);
  const double threshold = analysis.tokens.neutral.mean;
  analysis.windows = window_metrics(samples, threshold, options.windows);
  for (const LowWindow& lowest : find_lowest(samples, threshold, options.windows, options.lowest)) {
    analysis.lowest.push_back(shown(samples[lowest.sample], lowest.window));
  }
  return analysis;
}

base::Json json_of(const Analysis& analysis) {
  const KindSet sensitive = sensitive_kinds(analysis.options.sensitivity);
  base::Json json = {{"format", "cuset-analysis/1"}, {"model", analysis.model}};
  if (!analysis.adapter.empty()) json["adapter"] = analysis.adapter;
  json["data"] = analysis.data;
  json["samples"] = analysis.samples;
  json["labels"] = name_of(analysis.options.sensitivity);
  json["tokens"] = {{"sensitive", analysis.tokens.sensitive.tokens},
                    {"neutral", analysis.tokens.neutral.tokens}};
  json["confidence"] = confidence_to_json(analysis.tokens, sensitive);
  json["ks"] = test_to_json(analysis.tokens);
  json["windows"] = windows_to_json(analysis, sensitive);
  json["lowest"] = base::Json::array();
  for (const ShownWindow& window : analysis.lowest) json["lowest"].push_back(json_of(window));
  json["kernels"] = base::Json::array();
  for (const HeatMap& map : analysis.kernels) json["kernels"].push_back(json_of(map));
  return json;
}

}  // namespace cuset::study
