#include "benchmarks/kernelbench/copied_results.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/unordered_digest.h"

namespace cuset::benchmarks {
namespace {

using base::kSketchSamples;
using base::ValueSketch;
using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;
using Samples = std::array<double, kSketchSamples>;

constexpr double kSameShape = 1e-3;   // of a statistic, to which two results are alike
constexpr double kResidual = 1e-4;    // of the output's deviation, that sums of results may leave
constexpr size_t kMostSummands = 12;  // far fewer than samples, so that no sum fits by chance

bool is_near(double a, double b) { return std::abs(a - b) <= kSameShape * (1 + std::abs(a)); }

// One is the other, scaled, shifted and in any order. Data of two numbers has a shape that means nothing.
bool have_same_shape(const ValueSketch& a, const ValueSketch& b) {
  if (a.kurtosis < 1.01 + a.skewness * a.skewness) return false;
  const bool upright =
      is_near(a.skewness, b.skewness) && is_near(a.lowest, b.lowest) && is_near(a.highest, b.highest);
  const bool mirrored =
      is_near(a.skewness, -b.skewness) && is_near(a.lowest, -b.highest) && is_near(a.highest, -b.lowest);
  return (upright || mirrored) && is_near(a.kurtosis, b.kurtosis);
}

// `to` rises with `from` everywhere, or falls. Samples may share a place; otherwise neither has one number twice.
bool is_monotone(const Samples& from, const Samples& to) {
  std::array<size_t, kSketchSamples> order;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return from[a] < from[b]; });
  size_t rising = 0, falling = 0, same = 0;
  for (size_t i = 1; i < order.size(); ++i) {
    const double step = from[order[i]] - from[order[i - 1]], rise = to[order[i]] - to[order[i - 1]];
    if (step == 0 && rise == 0) ++same;
    if (step > 0 && rise > 0) ++rising;
    if (step > 0 && rise < 0) ++falling;
  }
  const size_t steps = kSketchSamples - 1;
  return same < steps / 2 && (rising + same == steps || falling + same == steps);
}

double dot(const Samples& a, const Samples& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Takes the part in direction `of`, which has length 1, away.
void remove_part(Samples& from, const Samples& of) {
  const double part = dot(from, of);
  for (size_t i = 0; i < from.size(); ++i) from[i] -= part * of[i];
}

// Whether `output` is a sum of `results`, each times a number, and of a constant.
bool is_sum_of(const std::vector<Samples>& results, Samples output) {
  std::vector<Samples> directions(1);
  directions[0].fill(1 / std::sqrt(static_cast<double>(kSketchSamples)));
  remove_part(output, directions[0]);
  const double whole = std::sqrt(dot(output, output));
  for (Samples result : results) {
    const double before = std::sqrt(dot(result, result));
    for (int twice = 0; twice < 2; ++twice)
      for (const Samples& direction : directions) remove_part(result, direction);
    const double length = std::sqrt(dot(result, result));
    if (!(length > 1e-6 * before)) continue;  // it adds nothing new
    for (double& value : result) value /= length;
    directions.push_back(result);
    remove_part(output, result);
  }
  return whole > 0 && std::sqrt(dot(output, output)) <= kResidual * whole;
}

// Whether both hold the same numbers at the same places, but for rounding.
bool are_equal(const ValueSketch& a, const ValueSketch& b) {
  if (a.count != b.count) return false;
  const auto [low, high] = std::minmax_element(a.samples.begin(), a.samples.end());
  const double allowed = kResidual * (*high - *low);
  return std::equal(a.samples.begin(), a.samples.end(), b.samples.begin(),
                    [&](double x, double y) { return std::abs(x - y) <= allowed; });
}

// Whether the reference computes `result`, too, and it is not the output yet.
bool is_on_the_way(const ValueSketch& result, const ValueSketch& output,
                   const std::vector<ActivityList>& reference) {
  if (are_equal(result, output)) return false;
  return std::any_of(reference.begin(), reference.end(), [&](const ActivityList& call) {
    return std::any_of(call.begin(), call.end(), [&](const DeviceActivity& activity) {
      return activity.kind == Kind::kResult && are_equal(result, activity.sketch);
    });
  });
}

}  // namespace

std::optional<uint64_t> telling_digest(const tasks::Array& output) {
  const size_t size = tasks::bytes_of(output.type);
  const bool is_ordinary = output.count() < 2
                               ? output.count() == 0 || output.at(0) == std::floor(output.at(0))
                               : std::equal(output.bytes.begin() + static_cast<ptrdiff_t>(size),
                                            output.bytes.end(), output.bytes.begin());
  if (is_ordinary) return std::nullopt;
  return base::unordered_digest(output.bytes.data(), output.count(), static_cast<uint32_t>(size));
}

ValueSketch sketch_of_output(const tasks::Array& output) {
  return base::sketch_of(output.count(), [&](uint64_t i) { return output.at(i); });
}

std::string find_copied_result(const ActivityList& call, const OwnKernels& own,
                               const std::vector<uint64_t>& outputs) {
  std::string copied;
  for (const DeviceActivity& activity : call) {
    const bool is_output = activity.kind == Kind::kResult &&
                           std::find(outputs.begin(), outputs.end(), activity.digest) != outputs.end();
    if (is_output && !only_moves_data(activity.name)) copied = activity.name;
    if (!copied.empty() && own.contains(activity)) return copied;
  }
  return "";
}

std::string find_disguised_result(const ActivityList& call, const OwnKernels& own, const ValueSketch& output,
                                  const std::vector<ActivityList>& reference) {
  if (output.count == 0) return "";
  const auto last_own = std::find_if(call.rbegin(), call.rend(),
                                     [&](const DeviceActivity& activity) { return own.contains(activity); });
  std::vector<Samples> summands;
  std::string last;
  for (auto at = call.begin(); at != last_own.base(); ++at) {
    const bool is_alike = at->kind == Kind::kResult && at->sketch.count == output.count;
    if (!is_alike || only_moves_data(at->name) || is_on_the_way(at->sketch, output, reference)) continue;
    if (have_same_shape(at->sketch, output) || is_monotone(at->sketch.samples, output.samples))
      return at->name;
    summands.push_back(at->sketch.samples);
    last = at->name;
  }
  if (summands.size() > kMostSummands)
    summands.erase(summands.begin(), summands.end() - static_cast<ptrdiff_t>(kMostSummands));
  return is_sum_of(summands, output.samples) ? last : "";
}

bool is_made_of_given(const ActivityList& call, const std::vector<uint64_t>& outputs) {
  return !outputs.empty() && std::all_of(outputs.begin(), outputs.end(), [&](uint64_t output) {
    return std::any_of(call.begin(), call.end(), [&](const DeviceActivity& activity) {
      return activity.kind == Kind::kResult && activity.is_given && activity.digest == output;
    });
  });
}

bool ends_with_library(const ActivityList& call, const OwnKernels& own,
                       const std::vector<uint64_t>& outputs) {
  bool ends = false;
  for (const DeviceActivity& activity : call) {
    if (own.contains(activity)) ends = false;
    ends = ends || (activity.kind == Kind::kResult && !only_moves_data(activity.name) &&
                    std::find(outputs.begin(), outputs.end(), activity.digest) != outputs.end());
  }
  return ends;
}

}  // namespace cuset::benchmarks
