#include "judge/trials/peak_trials.h"

#include <algorithm>
#include <cmath>

#include "judge/trials/tolerance.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kMostData =
    1 << 20;  // bytes: there are ten more runs of the oracle, three of every answer
constexpr double kMostRest =
    1e-4;  // beyond it, what the same slight error in all other terms makes would count
constexpr double kLeastShare = 2e-5;  // of one term: fast functions of float32
// Of what is asked for on one level.
constexpr uint8_t kPlacesTried[] = {0, tasks::Peaks::kFirst, tasks::Peaks::kLast, tasks::Peaks::kInner,
                                    tasks::Peaks::kFirst | tasks::Peaks::kLast | tasks::Peaks::kInner};
constexpr size_t kTried = std::size(kPlacesTried);
constexpr size_t kAll = kTried - 1;

bool has_whole_numbers(const tasks::Array& array) {
  bool whole = true;
  array.visit_blocks([&](std::span<const double> values) {
    for (const double value : values) whole = whole && value == std::nearbyint(value);
    return whole;
  });
  return whole;
}

// One number of the outputs of one level: `values` as in kPlacesTried. Nothing where it is no sum or more than a peak
// counts.
std::optional<double> rest_of(const double (&values)[kTried]) {
  double least = HUGE_VAL, sum = -2 * values[0];
  for (size_t i = 1; i <= kPeakTrials; ++i) {
    least = std::min(least, std::fabs(values[i]));
    sum += values[i];
  }
  const double rest = std::fabs(values[0]) / least;
  if (!(rest <= kMostRest) || !std::isfinite(sum)) return std::nullopt;
  const bool adds_up = std::fabs(values[kAll] - sum) <= share_of_peak(rest) * std::fabs(sum);
  return adds_up ? std::optional(rest) : std::nullopt;
}

// The largest of all numbers of the outputs of one level.
std::optional<double> rest_of_level(std::span<const std::vector<tasks::Array>> outputs) {
  double largest = 0;
  for (size_t output = 0; output < outputs[0].size(); ++output) {
    const uint64_t count = outputs[0][output].count();
    for (uint64_t i = 0; i < count; ++i) {
      double values[kTried];
      for (size_t tried = 0; tried < kTried; ++tried) {
        if (outputs[tried][output].count() != count) return std::nullopt;
        values[tried] = outputs[tried][output].at(i);
      }
      const std::optional<double> rest = rest_of(values);
      if (!rest) return std::nullopt;
      largest = std::max(largest, *rest);
    }
  }
  return largest;
}

}  // namespace

bool may_be_sums(const tasks::Task& task, std::span<const std::vector<tasks::Array>* const> outputs) {
  if (tasks::data_bytes(task) > kMostData) return false;
  bool has_fraction = false;
  for (const std::vector<tasks::Array>* trial : outputs) {
    for (const tasks::Array& output : *trial) {
      if (!tasks::is_floating(output.type) || !has_few_elements(output)) return false;
      has_fraction = has_fraction || !has_whole_numbers(output);
    }
  }
  return has_fraction;
}

std::vector<tasks::Peaks> peaks_to_try() {
  std::vector<tasks::Peaks> peaks;
  for (int level = 0; level < tasks::kPeakLevels; ++level)
    for (const uint8_t places : kPlacesTried)
      peaks.push_back({static_cast<tasks::Peaks::Level>(level), places});
  return peaks;
}

std::optional<PeakLevel> choose_level(std::span<const std::vector<tasks::Array>> outputs) {
  std::optional<PeakLevel> best;
  for (size_t first = 0; first + kTried <= outputs.size(); first += kTried) {
    const std::optional<double> rest = rest_of_level(outputs.subspan(first, kTried));
    // What is too little to matter is no reason to leave zero for another level.
    if (rest && (!best || share_of_peak(*rest) < share_of_peak(best->rest)))
      best = PeakLevel{first + 1, *rest};
  }
  return best;
}

// Small terms may get lost beside the large one, or not, whatever the order of the sum.
double share_of_peak(double rest) { return std::max(2 * rest, kLeastShare); }

}  // namespace cuset::judge
