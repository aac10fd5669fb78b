#include "base/stats/kolmogorov_smirnov.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stats/repeatable_math.h"

namespace cuset::base {
namespace {

// The lattice of paths, m <= n. Distances are integers: |i/m - j/n| times m*n, so no comparison can round.
struct Lattice {
  uint64_t m = 0;
  uint64_t n = 0;
  uint64_t distance = 0;
  std::vector<bool> group_end;  // [m + n + 1]: does a tie group end after this many pooled values?
};

// The cells of one diagonal i + j = k with m*n*|i/m - j/n| < distance: low <= i <= high.
struct Band {
  uint64_t low = 0;
  uint64_t high = 0;
};

// |i n - j m| = |i (m+n) - k m| on the diagonal k.
Band band_at(const Lattice& lattice, uint64_t k) {
  const uint64_t all = lattice.m + lattice.n;
  const uint64_t center = k * lattice.m;
  return {.low = center < lattice.distance ? 0 : (center - lattice.distance) / all + 1,
          .high = (center + lattice.distance - 1) / all};
}

// The cells of diagonal k that may differ from "touched for certain", given those of diagonal k - 1. Empty
// (low > high) once no path can stay inside.
Band next_active(const Lattice& lattice, Band active, uint64_t k) {
  active.low = std::max(active.low, k - std::min(k, lattice.n));
  active.high = std::min(active.high + 1, lattice.m);
  if (!lattice.group_end[k]) return active;
  const Band inside = band_at(lattice, k);
  return {.low = std::max(active.low, inside.low), .high = std::min(active.high, inside.high)};
}

// A double with a scale far beyond its exponent range: fraction * 2^(512 scale), fraction 0 or in [2^-256,
// 2^256).
struct Wide {
  double fraction = 0;
  int scale = 0;
};

Wide weighted(Wide a, double weight_a, Wide b, double weight_b, double inverse) {
  if (a.fraction == 0 || (b.fraction != 0 && a.scale < b.scale)) {
    std::swap(a, b);
    std::swap(weight_a, weight_b);
  }
  double sum = a.fraction * (weight_a * inverse);
  if (a.scale == b.scale) sum += b.fraction * (weight_b * inverse);
  if (a.scale == b.scale + 1) sum += b.fraction * 0x1p-512 * (weight_b * inverse);
  if (sum == 0) return {};
  if (sum < 0x1p-256) return {sum * 0x1p512, a.scale - 1};
  return {sum, a.scale};
}

double weighted(double a, double weight_a, double b, double weight_b, double inverse) {
  return (weight_a * a + weight_b * b) * inverse;
}

// The share of paths that touch, times `one`. Works along diagonals k = i + j, where cells depend on the last
// diagonal only and the compiler can use vector instructions. Outside the band every cell is `one`; between
// the ends of tie groups touching does not count, and the range of cells that are not `one` grows by one per
// step.
template <typename Number>
Number touching_share(const Lattice& lattice, Number one) {
  const uint64_t m = lattice.m;
  std::vector<Number> last(m + 3, one);  // cell i lies at [i + 1]
  std::vector<Number> next(m + 3, one);
  std::vector<double> count(m + 2);
  for (uint64_t i = 0; i < count.size(); ++i) count[i] = static_cast<double>(i);
  last[1] = Number{};
  Band active{0, 0};
  for (uint64_t k = 1; k <= m + lattice.n; ++k) {
    active = next_active(lattice, active, k);
    if (active.low > active.high) return one;
    const double steps = static_cast<double>(k);
    const double inverse = 1 / steps;
    const Number* from = last.data();
    Number* to = next.data();
    for (uint64_t i = active.low; i <= active.high; ++i) {
      to[i + 1] = weighted(from[i], count[i], from[i + 1], steps - count[i], inverse);
    }
    next[active.low] = one;
    next[active.high + 2] = one;
    std::swap(last, next);
  }
  return last[m + 1];
}

// Calls visit(i, j) after each group of equal values, with the numbers of values so far.
template <typename Visit>
void for_each_group(const std::vector<double>& a, const std::vector<double>& b, Visit visit) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const double value = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    visit(i, j);
  }
}

uint64_t largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  uint64_t distance = 0;
  for_each_group(a, b, [&](size_t i, size_t j) {
    const uint64_t x = uint64_t{i} * b.size();
    const uint64_t y = uint64_t{j} * a.size();
    distance = std::max(distance, x > y ? x - y : y - x);
  });
  return distance;
}

std::vector<double> sorted_sample(std::span<const double> values, const char* name) {
  if (values.empty()) throw Error("Kolmogorov-Smirnov: sample {} is empty", name);
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  if (bad != values.end()) {
    throw Error("Kolmogorov-Smirnov: value {} of {} in sample {} is NaN", bad - values.begin(), values.size(),
                name);
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

void set_exact_p(SmirnovTest& test, const Lattice& lattice) {
  // Starting from 2^900 keeps cells above the smallest double down to p = 1e-578; their rounding to 0 is far
  // below the last digit of any p above 2^-1800. Below, the slower Wide takes over.
  constexpr int kHeadroom = 900;
  const double share = touching_share(lattice, std::ldexp(1.0, kHeadroom));
  if (share > std::ldexp(1.0, -kHeadroom)) {
    test.p_value = std::min(1.0, std::ldexp(share, -kHeadroom));
    const bool in_range = test.p_value >= std::numeric_limits<double>::min();
    test.log_p_value =
        in_range ? repeatable_log(test.p_value) : repeatable_log(share) - kHeadroom * std::numbers::ln2;
    return;
  }
  const Wide wide = touching_share(lattice, Wide{1, 0});
  test.p_value = 0;
  test.log_p_value = repeatable_log(wide.fraction) + 512.0 * wide.scale * std::numbers::ln2;
}

}  // namespace

double kolmogorov_log_survival(double s) {
  if (!(s >= 0)) throw Error("Kolmogorov's distribution is defined for values from 0, not for {}", s);
  if (s < 0.04) return 0;  // 1 - p < 1e-300
  if (s < 1.18) {
    // The same function by Poisson summation; converges fast where the series in the header does not.
    const double t = repeatable_exp(-std::numbers::pi * std::numbers::pi / (8 * s * s));
    const double t2 = t * t;
    const double t8 = t2 * t2 * t2 * t2;
    const double sum = t * (1 + t8 * (1 + t8 * t8 * (1 + t8 * t8 * t8)));  // t + t^9 + t^25 + t^49
    return repeatable_log(1 - std::sqrt(2 * std::numbers::pi) / s * sum);
  }
  const double e = repeatable_exp(-2 * s * s);
  const double e3 = e * e * e;
  const double e5 = e3 * e * e;
  return std::numbers::ln2 - 2 * s * s +
         repeatable_log(1 - e3 * (1 - e5 * (1 - e5 * e * e)));  // 1 - e^3 + e^8 - e^15
}

SmirnovTest smirnov_test(std::span<const double> a, std::span<const double> b, uint64_t exact_pairs) {
  std::vector<double> few = sorted_sample(a, "a");
  std::vector<double> many = sorted_sample(b, "b");
  if (few.size() > many.size()) std::swap(few, many);
  const auto m = static_cast<double>(few.size());
  const auto n = static_cast<double>(many.size());
  const uint64_t distance = largest_distance(few, many);
  SmirnovTest test{.statistic = static_cast<double>(distance) / (m * n)};
  if (distance == 0) return test;
  test.exact = few.size() <= exact_pairs / many.size();
  if (!test.exact) {
    test.log_p_value = kolmogorov_log_survival(test.statistic * std::sqrt(m * n / (m + n)));
    test.p_value = repeatable_exp(test.log_p_value);
    return test;
  }
  Lattice lattice{few.size(), many.size(), distance, std::vector<bool>(few.size() + many.size() + 1)};
  for_each_group(few, many, [&](size_t i, size_t j) { lattice.group_end[i + j] = true; });
  set_exact_p(test, lattice);
  return test;
}

}  // namespace cuset::base
