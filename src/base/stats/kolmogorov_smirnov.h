// Two-sample Kolmogorov-Smirnov test, two-sided: could `a` and `b` come from one distribution?
//
// D is the largest distance between the two empirical distribution functions, looked at only after whole
// groups of equal values, so ties are handled. Under the null hypothesis every order of the pooled sample is
// equally likely; an order is a lattice path from (0, 0) to (m, n), and the p-value is the share of paths
// that touch |i/m - j/n| >= D at a point where a tie group ends.
//
// Exact: u(i, j), the share of paths to (i, j) that have touched, is 1 at such points and else
// u(i, j) = i/(i+j) u(i-1, j) + j/(i+j) u(i, j-1). All terms are positive, so p keeps about 12 digits however
// small it is (the same quantity as R's psmirnov(..., lower.tail = FALSE), with and without ties).
// Asymptotic, for large samples: with s = D sqrt(mn/(m+n)), p = 2 sum_k (-1)^(k-1) exp(-2 k^2 s^2)
// (Kolmogorov 1933, Smirnov 1939). docs/statistics.md says how far the two differ.
#pragma once

#include <cstdint>
#include <span>

namespace cuset::base {

// Pairs m*n up to which the p-value is exact: 10,000 by 10,000.
inline constexpr uint64_t kSmirnovExactPairs = 100'000'000;

struct SmirnovTest {
  double statistic = 0;    // D, in [0, 1]
  double p_value = 1;      // 0 only where the true value is below the range of double, about 1e-308
  double log_p_value = 0;  // natural logarithm, finite for any p
  bool exact = true;       // which of the two formulas gave p
};

// Sorts copies; O((m + n) log(m + n)), and O(m n) for an exact p-value. Infinite values are ordered like
// others. Throws Error for an empty sample or NaN.
SmirnovTest smirnov_test(std::span<const double> a, std::span<const double> b,
                         uint64_t exact_pairs = kSmirnovExactPairs);

// ln of Kolmogorov's series for s >= 0. Throws Error for NaN or negative s.
double kolmogorov_log_survival(double s);

}  // namespace cuset::base
