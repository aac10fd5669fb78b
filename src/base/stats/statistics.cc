#include "base/stats/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace cuset::base {
namespace {

// Sum of term(value), carrying the part that each addition rounds away.
template <typename Term>
double compensated_sum(std::span<const double> values, Term term) {
  double sum = 0;
  double lost = 0;
  for (const double value : values) {
    const double x = term(value);
    const double next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  if (!std::isfinite(sum)) throw Error("the sum over {} values exceeds the range of double", values.size());
  return sum + lost;
}

double checked_mean(std::span<const double> values) {
  return compensated_sum(values, [](double x) { return x; }) / static_cast<double>(values.size());
}

double quantile_of_sorted(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  // Weights, not a difference: the difference of two finite values may overflow.
  if (sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] * (1 - part) + sorted[below + 1] * part;
}

}  // namespace

void require_finite_sample(std::span<const double> values, const char* what) {
  if (values.empty()) throw Error("{}: the sample is empty", what);
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad != values.end()) {
    throw Error("{}: value {} of {} is {}, not a finite number", what, bad - values.begin(), values.size(),
                *bad);
  }
}

double mean(std::span<const double> values) {
  require_finite_sample(values, "mean");
  return checked_mean(values);
}

double standard_deviation(std::span<const double> values) {
  require_finite_sample(values, "standard deviation");
  if (values.size() < 2) throw Error("standard deviation: needs two values at least, has {}", values.size());
  const double center = checked_mean(values);
  const double squares = compensated_sum(values, [center](double x) { return (x - center) * (x - center); });
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> values, double q) { return quantiles(values, {&q, 1}).front(); }

std::vector<double> quantiles(std::span<const double> values, std::span<const double> qs) {
  require_finite_sample(values, "quantile");
  for (const double q : qs) {
    if (!(q >= 0 && q <= 1)) throw Error("quantile: {} is not between 0 and 1", q);
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> result;
  result.reserve(qs.size());
  for (const double q : qs) result.push_back(quantile_of_sorted(sorted, q));
  return result;
}

}  // namespace cuset::base
