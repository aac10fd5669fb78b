// Mean, standard deviation and quantiles of a sample.
//
// All refuse an empty sample and values that are not finite with an Error naming the first of them, and use
// only arithmetic that IEEE 754 fixes to the bit. Sums are compensated (Neumaier 1974), so a mean of millions
// of values is as good as one of ten.
#pragma once

#include <span>
#include <vector>

namespace cuset::base {

double mean(std::span<const double> values);

// The square root of the unbiased variance (divided by n - 1); needs two values at least.
double standard_deviation(std::span<const double> values);

// Quantile `q` in [0, 1], linear between order statistics: type 7 of Hyndman and Fan (1996), as numpy and R
// by default.
double quantile(std::span<const double> values, double q);

// Several quantiles for the price of one sort, in the order of `qs`.
std::vector<double> quantiles(std::span<const double> values, std::span<const double> qs);

// Throws Error naming `what` if `values` is empty or holds NaN or an infinity.
void require_finite_sample(std::span<const double> values, const char* what);

}  // namespace cuset::base
