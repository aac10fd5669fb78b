// Loops over the elements of arrays, in pieces small enough for rounding to happen in the cache.
#pragma once

#include <algorithm>

#include "verify/tasks/script/numbers.h"

namespace cuset::script {

inline constexpr int64_t kPiece = 4096;

// f of every element, as a new array of type `type`.
template <typename Function>
Numbers mapped(const Numbers& a, NumberType type, const Function& f) {
  if (is_constant(a)) return constant_numbers(a.shape, {a.budget(), type, a.torch}, f(*a.data()));
  const Numbers result = new_numbers(a.shape, {a.budget(), type, a.torch});
  double* const to = result.buffer->data();
  const double* const from = a.buffer->data();
  for_each_row<2>({&result, &a}, [&](const auto& offsets, int64_t count, const auto& steps) {
    for (int64_t begin = 0; begin < count; begin += kPiece) {
      const int64_t length = std::min(kPiece, count - begin);
      double* const out = to + offsets[0] + begin;
      const double* const in = from + offsets[1] + begin * steps[1];
      if (steps[1] == 1)
        for (int64_t i = 0; i < length; ++i) out[i] = f(in[i]);
      else
        for (int64_t i = 0; i < length; ++i) out[i] = f(in[i * steps[1]]);
      round_to(type, {out, static_cast<size_t>(length)});
    }
  });
  return result;
}

// f of the elements of both, broadcast against each other.
template <typename Function>
Numbers combined(const Numbers& a, const Numbers& b, NumberType type, const Function& f) {
  if (b.count() == 1 && a.rank() >= b.rank()) {
    const double right = *b.data();
    return mapped(a, type, [&](double left) { return f(left, right); });
  }
  if (a.count() == 1 && b.rank() >= a.rank()) {
    const double left = *a.data();
    return mapped(b, type, [&](double right) { return f(left, right); });
  }
  if (is_constant(a) && is_constant(b))
    return constant_numbers(broadcast_shape(a.shape, b.shape), {a.budget(), type, a.torch || b.torch},
                            f(*a.data(), *b.data()));
  const Numbers result =
      new_numbers(broadcast_shape(a.shape, b.shape), {a.budget(), type, a.torch || b.torch});
  const Numbers left = broadcast_to(a, result.shape), right = broadcast_to(b, result.shape);
  double* const to = result.buffer->data();
  const double *const from_left = left.buffer->data(), *const from_right = right.buffer->data();
  for_each_row<3>({&result, &left, &right}, [&](const auto& offsets, int64_t count, const auto& steps) {
    for (int64_t begin = 0; begin < count; begin += kPiece) {
      const int64_t length = std::min(kPiece, count - begin);
      double* const out = to + offsets[0] + begin;
      const double* const x = from_left + offsets[1] + begin * steps[1];
      const double* const y = from_right + offsets[2] + begin * steps[2];
      if (steps[1] == 1 && steps[2] == 1)
        for (int64_t i = 0; i < length; ++i) out[i] = f(x[i], y[i]);
      else
        for (int64_t i = 0; i < length; ++i) out[i] = f(x[i * steps[1]], y[i * steps[2]]);
      round_to(type, {out, static_cast<size_t>(length)});
    }
  });
  return result;
}

}  // namespace cuset::script
