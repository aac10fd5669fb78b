#include "objective/sample_weights.h"

#include <limits>

#include "base/error.h"
#include "base/stats/window_mean.h"

namespace cuset::objective {
namespace {

constexpr int64_t kMostRows = int64_t{1} << 22;  // their sum in units stays below 2^63

// [rows + 1] int64: entry i is the sum of the first i confidences, in units.
torch::Tensor prefix_sums(const torch::Tensor& p) {
  const auto units =
      (p.to(torch::kFloat64).nan_to_num(0.0, 1.0, 0.0) * base::kConfidenceUnits).round().to(torch::kInt64);
  return torch::cat({torch::zeros({1}, units.options()), units.cumsum(0)});
}

}  // namespace

RowSegments make_row_segments(const std::vector<int64_t>& borders, torch::Device device) {
  CUSET_CHECK(!borders.empty() && borders.front() == 0, "{} borders", borders.size());
  RowSegments segments;
  // From pageable memory, a copy that does not wait has read its source when it returns.
  segments.borders = torch::tensor(borders, torch::kInt64).to(device, /*non_blocking=*/true);
  const auto rows = torch::arange(borders.back(), segments.borders.options());
  segments.sample_of_row =
      torch::bucketize(rows, segments.borders.slice(0, 1), /*out_int32=*/false, /*right=*/true);
  return segments;
}

torch::Tensor window_confidence(const torch::Tensor& p, int64_t window) {
  return window_confidence(p, make_row_segments({0, p.numel()}, p.device()), window).to(p.scalar_type());
}

torch::Tensor window_confidence(const torch::Tensor& p, const RowSegments& segments, int64_t window,
                                const torch::Tensor& accepted) {
  CUSET_CHECK(p.dim() == 1 && p.numel() == segments.rows(), "{} confidences of {} rows", p.numel(),
              segments.rows());
  CUSET_CHECK(window >= 1 && p.numel() <= kMostRows, "window {}, {} rows", window, p.numel());
  const auto row = torch::arange(segments.rows(), segments.borders.options());
  const auto first = segments.borders.index_select(0, segments.sample_of_row);
  const auto last = segments.borders.index_select(0, segments.sample_of_row + 1);
  const auto begin = torch::maximum(first, row - window / 2);
  const auto end = torch::minimum(last, row + (window - window / 2));
  const auto of_window = [&](const torch::Tensor& sums) {
    return (sums.index_select(0, end) - sums.index_select(0, begin)).to(torch::kFloat64);
  };
  if (!accepted.defined()) return of_window(prefix_sums(p)) / base::kConfidenceUnits / (end - begin);
  const auto sum = of_window(prefix_sums(p.masked_fill(accepted.logical_not(), 0))) / base::kConfidenceUnits;
  const auto count = of_window(torch::cat({torch::zeros({1}, row.options()), accepted.cumsum(0)}));
  return (sum / count.clamp_min(1)).masked_fill(count == 0, 1);
}

LowestWindows lowest_windows(const torch::Tensor& p, const RowSegments& segments, int64_t window,
                             const torch::Tensor& accepted) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto confidence = window_confidence(p, segments, window, accepted);
  const auto& sample = segments.sample_of_row;
  const auto lowest = torch::full({segments.samples()}, kNone, confidence.options())
                          .scatter_reduce(0, sample, confidence, "amin");
  const auto is_lowest = confidence == lowest.index_select(0, sample);
  const auto row = torch::arange(segments.rows(), sample.options());
  const auto first_lowest =
      torch::full({segments.samples()}, segments.rows(), sample.options())
          .scatter_reduce(0, sample, row.masked_fill(~is_lowest, segments.rows()), "amin");
  const auto from_start = first_lowest - segments.borders.slice(0, 0, segments.samples());
  return {lowest.clamp_max(1.0), from_start.masked_fill(lowest == kNone, 0)};
}

}  // namespace cuset::objective
