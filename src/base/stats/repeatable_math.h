// Logarithm, exponential and normal quantile that give the same bits on every machine.
//
// IEEE 754 fixes the result of + - * / and sqrt to the last bit; it fixes nothing for log and exp, and C
// libraries do differ there. The functions below use only the former (and exact scaling by powers of two), in
// an order that the compiler may not change: the build sets -ffp-contract=off and never -ffast-math. Errors
// against the true value: under one unit in the last place for log and exp (three million arguments against
// 80-bit arithmetic), 1e-15 relative for the quantile.
#pragma once

namespace cuset::base {

// ln x. -inf for 0, NaN for negative x and NaN, +inf for +inf.
double repeatable_log(double x);

// e^x, rounded to 0 or +inf outside the range of double.
double repeatable_exp(double x);

// The z >= 0 that a standard normal variable exceeds with probability `tail`, 0 < tail <= 1/2. Algorithm AS
// 241 (Wichura 1988). Taking the tail, not the distribution function, keeps far values exact.
double normal_upper_quantile(double tail);

}  // namespace cuset::base
