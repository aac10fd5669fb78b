#include "study/inspect/summary.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/console.h"
#include "base/error.h"
#include "base/human_readable.h"
#include "base/stats/statistics.h"
#include "base/table_text.h"
#include "cuda_source/regions.h"

namespace cuset::study {
namespace {

// The smallest of 1, 2, 5, 10, 20, 50, ... with which `largest` falls into the first `bins` bins.
size_t bin_width(size_t largest, size_t bins) {
  for (size_t power = 1;; power *= 10) {
    for (const size_t step : {size_t{1}, size_t{2}, size_t{5}}) {
      if (largest / (step * power) < bins) return step * power;
    }
  }
}

LengthQuantiles quantiles_of(const std::vector<size_t>& lengths) {
  if (lengths.empty()) return {};
  const std::vector<double> values(lengths.begin(), lengths.end());
  const std::array wanted = {0.5, 0.95};
  const std::vector<double> found = base::quantiles(values, wanted);
  const auto [min, max] = std::minmax_element(lengths.begin(), lengths.end());
  return {*min, found[0], found[1], *max};
}

// Starts at the first non-empty bin.
std::string render_histogram(const std::vector<LengthBin>& bins) {
  constexpr size_t kBarColumns = 40;
  size_t most = 1;
  for (const LengthBin& bin : bins) most = std::max(most, bin.samples);
  const size_t digits = bins.empty() ? 1 : fmt::format("{}", bins.back().end).size();
  const auto first =
      std::find_if(bins.begin(), bins.end(), [](const LengthBin& bin) { return bin.samples > 0; });
  std::string out;
  for (const LengthBin& bin : std::span(first, bins.end())) {
    // A non-empty bin shows at least one block.
    const size_t blocks = (bin.samples * kBarColumns + most - 1) / most;
    std::string bar;
    for (size_t i = 0; i < blocks; ++i) bar += "█";
    out += fmt::format("  {:>{}} - {:<{}}  {}{}{}\n", bin.begin, digits, bin.end - 1, digits, bar,
                       blocks == 0 ? "" : " ", bin.samples);
  }
  return out;
}

std::string render_rows(std::string_view title, const std::vector<data::DroppedRow>& rows, size_t most) {
  if (rows.empty()) return "";
  std::string out = fmt::format("\n{}: {}\n", title, rows.size());
  for (const data::DropReason reason :
       {data::DropReason::kTooLong, data::DropReason::kNothingToLearn, data::DropReason::kDuplicate}) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const data::DroppedRow& row) { return row.reason == reason; });
    if (count > 0) out += fmt::format("  {:<18} {}\n", data::name_of(reason), count);
  }
  const size_t shown = std::min(most, rows.size());
  for (size_t i = 0; i < shown; ++i) {
    out += fmt::format("    {}  {}{}{}\n", base::printable(rows[i].place), data::name_of(rows[i].reason),
                       rows[i].detail.empty() ? "" : ": ", base::printable(rows[i].detail));
  }
  if (shown < rows.size()) out += fmt::format("    ... {} more\n", rows.size() - shown);
  return out;
}

base::Json rows_to_json(const std::vector<data::DroppedRow>& rows) {
  base::Json out = base::Json::array();
  for (const data::DroppedRow& row : rows) {
    out.push_back({{"place", row.place}, {"reason", data::name_of(row.reason)}, {"detail", row.detail}});
  }
  return out;
}

base::Json totals_to_json(const DatasetSummary& summary, const data::Dataset& dataset) {
  return {{"rows", summary.rows},
          {"samples", summary.samples},
          {"tokens", summary.tokens},
          {"labels", summary.labels},
          {"cuda_labels", summary.cuda_labels},
          {"cuda_share", summary.cuda_share()},
          {"without_cuda", summary.without_cuda},
          {"truncated", summary.truncated},
          {"dropped", dataset.dropped.size()},
          {"duplicates", dataset.duplicates.size()}};
}

}  // namespace

std::vector<LengthBin> length_histogram(const std::vector<size_t>& lengths) {
  if (lengths.empty()) return {};
  constexpr size_t kMostBins = 16;
  const size_t largest = *std::max_element(lengths.begin(), lengths.end());
  const size_t width = bin_width(largest, kMostBins);
  std::vector<LengthBin> bins(largest / width + 1);
  for (size_t i = 0; i < bins.size(); ++i) bins[i] = {i * width, (i + 1) * width, 0};
  for (const size_t length : lengths) ++bins[length / width].samples;
  return bins;
}

double DatasetSummary::cuda_share() const {
  return labels == 0 ? 0 : static_cast<double>(cuda_labels) / static_cast<double>(labels);
}

DatasetSummary summarize(const data::Dataset& dataset) {
  DatasetSummary summary;
  summary.rows = dataset.rows;
  summary.samples = dataset.examples.size();
  summary.truncated = dataset.truncated;
  std::vector<size_t> lengths;
  for (const data::Example& example : dataset.examples) {
    const size_t cuda_labels = example.cuda_labels();
    lengths.push_back(example.ids.size());
    summary.tokens += example.ids.size();
    summary.labels += example.labels();
    summary.cuda_labels += cuda_labels;
    summary.without_cuda += cuda_labels == 0;
  }
  summary.lengths = quantiles_of(lengths);
  summary.histogram = length_histogram(lengths);
  return summary;
}

std::string render_summary(const DatasetSummary& summary, const data::Dataset& dataset, size_t most_places) {
  std::string out =
      fmt::format("rows read         {}\nsamples           {}\n", summary.rows, summary.samples);
  if (summary.rows == 0) return out;
  out += fmt::format("tokens            {}\n", summary.tokens);
  out += fmt::format("  learned         {}  ({} of tokens)\n", summary.labels,
                     base::percent(summary.labels, summary.tokens));
  out += fmt::format("  CUDA-masked     {}  ({} of learned)\n", summary.cuda_labels,
                     base::percent(summary.cuda_labels, summary.labels));
  if (summary.without_cuda > 0) out += fmt::format("without CUDA      {}\n", summary.without_cuda);
  if (summary.truncated > 0) out += fmt::format("truncated         {}\n", summary.truncated);
  if (summary.samples > 0) {
    out += fmt::format("\ntokens per sample: min {}, median {:.0f}, p95 {:.0f}, max {}\n",
                       summary.lengths.min, summary.lengths.median, summary.lengths.p95, summary.lengths.max);
    out += render_histogram(summary.histogram);
  }
  out += render_rows("dropped rows", dataset.dropped, most_places);
  out += render_rows("duplicate rows kept", dataset.duplicates, most_places);
  return out;
}

base::Json summary_to_json(const DatasetSummary& summary, const data::Dataset& dataset) {
  base::Json histogram = base::Json::array();
  for (const LengthBin& bin : summary.histogram) {
    histogram.push_back({{"begin", bin.begin}, {"end", bin.end}, {"samples", bin.samples}});
  }
  base::Json samples = base::Json::array();
  for (const data::Example& example : dataset.examples) samples.push_back(counts_to_json(example));
  const LengthQuantiles& lengths = summary.lengths;
  return {{"totals", totals_to_json(summary, dataset)},
          {"lengths",
           {{"min", lengths.min}, {"median", lengths.median}, {"p95", lengths.p95}, {"max", lengths.max}}},
          {"histogram", std::move(histogram)},
          {"dropped", rows_to_json(dataset.dropped)},
          {"duplicates", rows_to_json(dataset.duplicates)},
          {"samples", std::move(samples)}};
}

base::Json counts_to_json(const data::Example& example) {
  return {{"place", example.place},     {"tokens", example.ids.size()},
          {"labels", example.labels()}, {"cuda_labels", example.cuda_labels()},
          {"weight", example.weight},   {"truncated", example.truncated}};
}

base::Json example_to_json(const data::Example& example) {
  base::Json spans = base::Json::array();
  for (const text::TokenSpan& span : example.spans) spans.push_back({span.begin, span.end});
  base::Json out = counts_to_json(example);
  out["text"] = example.text;
  out["response"] = {example.response.begin, example.response.end};
  out["ids"] = example.ids;
  out["spans"] = std::move(spans);
  out["is_label"] = example.is_label;
  out["is_cuda"] = example.is_cuda;
  out["regions"] = cuda_source::regions_to_json(example.text, example.regions);
  return out;
}

}  // namespace cuset::study
