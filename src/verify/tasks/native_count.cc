// Running sums and histograms.
#include <algorithm>
#include <cmath>

#include "verify/tasks/native_oracles.h"

namespace cuset {

NativeResults prefix_sum_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  const bool inclusive = call.parameter("inclusive").flag_or(true);
  Tensor result = call.result(x.shape);
  const Lanes lanes(x.shape, {axis});
  std::vector<double> row(lanes.length());
  for (uint64_t lane = 0; lane < lanes.count(); ++lane) {
    lanes.gather(x, lane, row);
    CompensatedSum sum;
    for (double& value : row) {
      const double before = sum.value();
      sum.add(value);
      value = inclusive ? sum.value() : before;
    }
    lanes.scatter(row, lane, result);
  }
  return {std::move(result)};
}

// Bins of equal width between low and high, decided by the bins' edges; the last one holds high too, and what
// lies outside is not counted (numpy's rules).
NativeResults histogram_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const int64_t bins = call.parameter("bins").whole(1, int64_t{1} << 32);
  // Whole numbers without a range: each below `bins` has its own.
  const bool own_bins = !is_floating(call.operand_type("x")) && call.parameter("low").is_absent() &&
                        call.parameter("high").is_absent();
  const double low = own_bins ? -0.5 : call.parameter("low").number();
  const double high = own_bins ? static_cast<double>(bins) - 0.5 : call.parameter("high").number();
  if (!(low < high)) call.parameter("low").refuse("must be below high");
  Tensor result = call.result({bins});
  const double width = (high - low) / static_cast<double>(bins);
  const auto edge = [&](double bin) { return low + bin * width; };
  for (const double value : x.values) {
    if (!(value >= low && value <= high)) continue;
    double bin = std::clamp(std::floor((value - low) / width), 0.0, static_cast<double>(bins - 1));
    if (bin > 0 && value < edge(bin)) --bin;
    if (bin < static_cast<double>(bins - 1) && value >= edge(bin + 1)) ++bin;
    result.values[static_cast<size_t>(bin)] += 1;
  }
  return {std::move(result)};
}

}  // namespace cuset
