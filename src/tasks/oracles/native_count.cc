// Running sums and other scans, recurrences, and histograms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {

NativeResults prefix_sum_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  const bool inclusive = call.parameter("inclusive").boolean_or(true);
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

NativeResults scan_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  call.parameter("op").string();
  const std::string op = call.choice("op", {"max", "min", "prod"});
  Tensor result = call.result(x.shape);
  const Lanes lanes(x.shape, {axis});
  std::vector<double> row(lanes.length());
  for (uint64_t lane = 0; lane < lanes.count(); ++lane) {
    lanes.gather(x, lane, row);
    for (size_t i = 1; i < row.size(); ++i) {
      if (op == "prod") row[i] *= row[i - 1];
      if (op == "max") row[i] = std::max(row[i], row[i - 1]);
      if (op == "min") row[i] = std::min(row[i], row[i - 1]);
    }
    lanes.scatter(row, lane, result);
  }
  return {std::move(result)};
}

// y[t] = decay * y[t-1] + scale * x[t], with decay a number or the operand of its own for every place. Before
// the first place there is 0, unless `from_first`: then y[0] is x[0].
NativeResults recurrence_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  if (call.has("gate") != call.parameter("decay").is_absent())
    call.refuse("it needs either an operand gate or a parameter decay");
  const double decay = call.parameter("decay").number_or(0);
  const double scale = call.parameter("scale").number_or(1);
  const bool from_first = call.parameter("from_first").boolean_or(false);
  const Tensor gate =
      call.has("gate") ? call.operand("gate") : Tensor{x.shape, std::vector<double>(x.values.size(), decay)};
  if (gate.shape != x.shape)
    call.refuse(fmt::format("x has the shape {} and gate {}", text_of(x.shape), text_of(gate.shape)));
  Tensor result = call.result(x.shape);
  const Lanes lanes(x.shape, {axis});
  std::vector<double> row(lanes.length());
  std::vector<double> gates(lanes.length());
  for (uint64_t lane = 0; lane < lanes.count(); ++lane) {
    lanes.gather(x, lane, row);
    lanes.gather(gate, lane, gates);
    double state = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      state = from_first && i == 0 ? row[i] : gates[i] * state + scale * row[i];
      row[i] = state;
    }
    lanes.scatter(row, lane, result);
  }
  return {std::move(result)};
}

// Bins of equal width between low and high, decided by the bins' edges; the last one holds high too, and what
// lies outside is not counted (numpy's rules).
NativeResults histogram_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const int64_t bins = call.parameter("bins").integer(1, int64_t{1} << 32);
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

}  // namespace cuset::tasks
