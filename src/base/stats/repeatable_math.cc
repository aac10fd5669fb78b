#include "base/stats/repeatable_math.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace cuset::base {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double after each operation (not x87)");

// ln 2 in two parts: the first has 21 trailing zero bits, so that its product with any exponent is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// coefficients[0] + coefficients[1] x + ..., by Horner's rule.
template <size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (size_t i = N - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// Wichura's three pairs of numerator and denominator.
constexpr std::array kCentreOver = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                    3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array kCentreUnder = {1.0,
                                     4.2313330701600911252e1,
                                     6.8718700749205790830e2,
                                     5.3941960214247511077e3,
                                     2.1213794301586595867e4,
                                     3.9307895800092710610e4,
                                     2.8729085735721942674e4,
                                     5.2264952788528545610e3};
constexpr std::array kMiddleOver = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                    5.76949722146069140550e0,  3.64784832476320460504e0,
                                    1.27045825245236838258e0,  2.41780725177450611770e-1,
                                    2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array kMiddleUnder = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
constexpr std::array kFarOver = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                 1.78482653991729133580e0,  2.96560571828504891230e-1,
                                 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array kFarUnder = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

}  // namespace

// x = m 2^e with m between sqrt(1/2) and sqrt(2); ln m = 2 artanh f with f = (m-1)/(m+1), |f| < 0.172, whose
// series f + f^3/3 + f^5/5 + ... is cut where the next term is below 2^-56 of the first.
double repeatable_log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0x1.6a09e667f3bcdp-1) {
    mantissa *= 2;
    --exponent;
  }
  static constexpr std::array kOddReciprocals = {0.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                                 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
  const double f = mantissa - 1;
  const double s = f / (2 + f);
  const double tail = polynomial(kOddReciprocals, s * s);
  // 2s + s*tail, written as f - (f^2/2 - s (f^2/2 + tail)) so that the leading term f is exact.
  const double half_square = 0.5 * f * f;
  const double low = half_square - (s * (half_square + tail) + exponent * kLn2Low);
  return exponent * kLn2High - (low - f);
}

// x = k ln 2 + r with |r| < 0.35, e^r by its Taylor series.
double repeatable_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 710) return std::numeric_limits<double>::infinity();
  if (x < -746) return 0;
  const double k = std::floor(x * 0x1.71547652b82fep+0 + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  static constexpr std::array kInverseFactorials = {
      1.0 / 2,         1.0 / 6,          1.0 / 24,         1.0 / 120,     1.0 / 720,
      1.0 / 5040,      1.0 / 40320,      1.0 / 362880,     1.0 / 3628800, 1.0 / 39916800,
      1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200};
  const double e_to_r = 1 + (r + r * r * polynomial(kInverseFactorials, r));
  return std::ldexp(e_to_r, static_cast<int>(k));
}

double normal_upper_quantile(double tail) {
  CUSET_CHECK(tail > 0 && tail <= 0.5, "tail = {}", tail);
  const double from_median = 0.5 - tail;
  if (from_median <= 0.425) {
    const double r = 0.180625 - from_median * from_median;
    return from_median * polynomial(kCentreOver, r) / polynomial(kCentreUnder, r);
  }
  const double r = std::sqrt(-repeatable_log(tail));
  if (r <= 5) return polynomial(kMiddleOver, r - 1.6) / polynomial(kMiddleUnder, r - 1.6);
  return polynomial(kFarOver, r - 5) / polynomial(kFarUnder, r - 5);
}

}  // namespace cuset::base
