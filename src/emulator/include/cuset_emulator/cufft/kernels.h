// The kernels of a Fourier transform. All of them work in double on arrays [outer][length][inner] of complex numbers, going
// from one work array to the other. A pass of radix r is a step of Stockham's algorithm (decimation in frequency, which
// leaves the elements in order): with s the product of the radices before times `inner`, and m = length * inner / (s r),
//   to[q + s (r p + j)] = w^(j p s / inner) sum_k from[q + s (p + m k)] exp(-2 pi i j k / r),  w = exp(-2 pi i / length).
// Inverse transforms exchange real and imaginary parts before and after.
#pragma once

#include "cuset_emulator/cufft/types.h"

namespace cufft {

constexpr int kBlock = 256;

__device__ inline double2 sum(double2 a, double2 b) { return double2{a.x + b.x, a.y + b.y}; }
__device__ inline double2 difference(double2 a, double2 b) { return double2{a.x - b.x, a.y - b.y}; }
__device__ inline double2 product(double2 a, double2 b) {
  return double2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ inline double2 scaled(double2 a, double factor) { return double2{a.x * factor, a.y * factor}; }
__device__ inline double2 swapped(double2 a) { return double2{a.y, a.x}; }
__device__ inline double2 times_minus_i(double2 a) { return double2{a.y, -a.x}; }

// What a pass needs: `threads` butterflies, the distances of the formula above, and how far apart its roots are.
struct Pass {
  unsigned int threads, s, m, root_step;
  int radix;
  unsigned int length;
};

// The radix's own small transform, in place.
template <int kRadix>
__device__ inline void butterfly(double2* a);

template <>
__device__ inline void butterfly<2>(double2* a) {
  const double2 first = a[0];
  a[0] = sum(first, a[1]);
  a[1] = difference(first, a[1]);
}
template <>
__device__ inline void butterfly<3>(double2* a) {
  const double half_root = 0.86602540378443864676;
  const double2 both = sum(a[1], a[2]), turned = scaled(times_minus_i(difference(a[1], a[2])), half_root);
  const double2 middle = difference(a[0], scaled(both, 0.5));
  a[0] = sum(a[0], both);
  a[1] = sum(middle, turned);
  a[2] = difference(middle, turned);
}
template <>
__device__ inline void butterfly<4>(double2* a) {
  const double2 even = sum(a[0], a[2]), even_less = difference(a[0], a[2]);
  const double2 odd = sum(a[1], a[3]), odd_less = times_minus_i(difference(a[1], a[3]));
  a[0] = sum(even, odd);
  a[1] = sum(even_less, odd_less);
  a[2] = difference(even, odd);
  a[3] = difference(even_less, odd_less);
}
template <>
__device__ inline void butterfly<5>(double2* a) {
  const double c1 = 0.30901699437494742410, s1 = 0.95105651629515357212;
  const double c2 = -0.80901699437494742410, s2 = 0.58778525229247312917;
  const double2 p1 = sum(a[1], a[4]), m1 = times_minus_i(difference(a[1], a[4]));
  const double2 p2 = sum(a[2], a[3]), m2 = times_minus_i(difference(a[2], a[3]));
  const double2 e1 = sum(a[0], sum(scaled(p1, c1), scaled(p2, c2)));
  const double2 e2 = sum(a[0], sum(scaled(p1, c2), scaled(p2, c1)));
  const double2 o1 = sum(scaled(m1, s1), scaled(m2, s2)), o2 = difference(scaled(m1, s2), scaled(m2, s1));
  a[0] = sum(a[0], sum(p1, p2));
  a[1] = sum(e1, o1);
  a[2] = sum(e2, o2);
  a[3] = difference(e2, o2);
  a[4] = difference(e1, o1);
}

template <int kRadix>
__global__ void pass(Pass at, const double2* from, double2* to, const double2* roots) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= at.threads) return;
  const unsigned int rest = t / at.s, q = t - rest * at.s, outer = rest / at.m, p = rest - outer * at.m;
  const size_t base = static_cast<size_t>(outer) * at.m * at.s * kRadix + q;
  double2 a[kRadix];
  for (int k = 0; k < kRadix; ++k) a[k] = from[base + static_cast<size_t>(at.s) * (p + at.m * k)];
  butterfly<kRadix>(a);
  const size_t target = base + static_cast<size_t>(at.s) * kRadix * p;
  to[target] = a[0];
  for (int j = 1; j < kRadix; ++j) to[target + at.s * j] = product(a[j], roots[j * p * at.root_step]);
}

// Any radix, by its definition.
inline __global__ void pass_of_any_radix(Pass at, const double2* from, double2* to, const double2* roots) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= at.threads) return;
  const unsigned int rest = t / at.s, q = t - rest * at.s, outer = rest / at.m, p = rest - outer * at.m;
  const size_t base = static_cast<size_t>(outer) * at.m * at.s * at.radix + q;
  const size_t target = base + static_cast<size_t>(at.s) * at.radix * p;
  for (int j = 0; j < at.radix; ++j) {
    double2 result = from[base + static_cast<size_t>(at.s) * p];
    for (int k = 1; k < at.radix; ++k)
      result = sum(result, product(from[base + static_cast<size_t>(at.s) * (p + at.m * k)],
                                   roots[j * k % at.radix * (at.length / at.radix)]));
    to[target + static_cast<size_t>(at.s) * j] = product(result, roots[j * p * at.root_step]);
  }
}

inline __global__ void fill_roots(double2* roots, long long length) {
  const long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (k >= length) return;
  const double turn = 2.0 * static_cast<double>(k) / static_cast<double>(length);
  roots[k] = double2{cospi(turn), -sinpi(turn)};
}

// The chirp of `length`, and what is convolved with it: its conjugate to both sides of 0, zeros between.
inline __global__ void fill_chirps(double2* chirp, double2* both_sides, long long length, long long padded) {
  const long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (k >= padded) return;
  const long long place = k < length ? k : padded - k;
  const double turn = static_cast<double>(place < length ? place * place % (2 * length) : 0) / length;
  const double2 value = {cospi(turn), -sinpi(turn)};
  if (k < length) chirp[k] = value;
  both_sides[k] = place < length ? double2{value.x / padded, -value.y / padded} : double2{0, 0};
}

// Sizes of a convolution: arrays [outer][length][inner] and [outer][padded][inner].
struct Chirp {
  unsigned int threads, length, padded, inner;
};

inline __global__ void multiply_by_chirp(Chirp at, const double2* from, double2* to, const double2* chirp) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= at.threads) return;
  const unsigned int rest = t / at.inner, q = t - rest * at.inner, outer = rest / at.padded,
                     k = rest - outer * at.padded;
  const size_t place = (static_cast<size_t>(outer) * at.length + k) * at.inner + q;
  to[t] = k < at.length ? product(from[place], chirp[k]) : double2{0, 0};
}

// The result is exchanged, so that the next transform is an inverse one.
inline __global__ void multiply_by_spectrum(Chirp at, double2* numbers, const double2* spectrum) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < at.threads) numbers[t] = swapped(product(numbers[t], spectrum[t / at.inner % at.padded]));
}

inline __global__ void take_from_chirp(Chirp at, const double2* from, double2* to, const double2* chirp) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= at.threads) return;
  const unsigned int rest = t / at.inner, q = t - rest * at.inner, outer = rest / at.length,
                     k = rest - outer * at.length;
  const size_t place = (static_cast<size_t>(outer) * at.padded + k) * at.inner + q;
  to[t] = product(swapped(from[place]), chirp[k]);
}

}  // namespace cufft
