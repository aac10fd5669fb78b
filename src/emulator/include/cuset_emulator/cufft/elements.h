// How the elements of a program's arrays come into a transform's work array and back: layouts, halves of symmetric spectra,
// callbacks. The work array holds every element of a transform, [batch][n0][n1][n2].
#pragma once

#include "cuset_emulator/cufft/kernels.h"

namespace cufft {

// The elements of some transforms of a batch.
struct Elements {
  long long threads;
  long long first;          // of the batch
  long long n[kMaxRank];    // that a thread each is for; the last is n/2 + 1 for halves of spectra
  long long all[kMaxRank];  // of a transform
  long long embed[kMaxRank], stride, dist;
  bool swap;
  Callback callback;
};

struct Place {
  long long batch, at[kMaxRank];
};

__device__ inline Place place_of(long long t, const long long* n) {
  Place place;
  place.at[2] = t % n[2], t /= n[2];
  place.at[1] = t % n[1], t /= n[1];
  place.at[0] = t % n[0];
  place.batch = t / n[0];
  return place;
}
__device__ inline long long offset_of(const Elements& elements, const Place& place) {
  const long long within = (place.at[0] * elements.embed[1] + place.at[1]) * elements.embed[2] + place.at[2];
  return (elements.first + place.batch) * elements.dist + within * elements.stride;
}

__device__ inline double2 as_number(float2 x) { return double2{x.x, x.y}; }
__device__ inline double2 as_number(double2 x) { return x; }
__device__ inline double2 as_number(float x) { return double2{x, 0}; }
__device__ inline double2 as_number(double x) { return double2{x, 0}; }
__device__ inline void set_number(float2& to, double2 x) {
  to = float2{static_cast<float>(x.x), static_cast<float>(x.y)};
}
__device__ inline void set_number(double2& to, double2 x) { to = x; }
__device__ inline void set_number(float& to, double2 x) { to = static_cast<float>(x.x); }
__device__ inline void set_number(double& to, double2 x) { to = x.x; }

template <class T>
__device__ inline double2 load_one(const Elements& elements, T* from, long long offset, void* shared) {
  typedef T (*Load)(void*, size_t, void*, void*);
  if (elements.callback.function == nullptr) return as_number(from[offset]);
  return as_number(reinterpret_cast<Load>(elements.callback.function)(from, static_cast<size_t>(offset),
                                                                      elements.callback.info, shared));
}

// `half`: the program's array holds the first half of the last axis, the rest is its conjugate.
template <class T, bool half, bool calls>
__global__ void load(Elements elements, T* from, double2* to) {
  extern __shared__ double2 cufft_shared[];
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (t >= elements.threads) return;
  if constexpr (!calls) elements.callback.function = nullptr;
  Place place = place_of(t, elements.n);
  const bool mirrored = half && place.at[2] > elements.n[2] / 2;
  if (mirrored)
    for (int axis = 0; axis < kMaxRank; ++axis)
      place.at[axis] = place.at[axis] == 0 ? 0 : elements.n[axis] - place.at[axis];
  double2 value = load_one(elements, from, offset_of(elements, place), cufft_shared);
  if (mirrored) value.y = -value.y;
  to[t] = elements.swap ? swapped(value) : value;
}

template <class T, bool calls>
__global__ void store(Elements elements, const double2* from, T* to) {
  extern __shared__ double2 cufft_shared[];
  typedef void (*Store)(void*, size_t, T, void*, void*);
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (t >= elements.threads) return;
  const Place place = place_of(t, elements.n);
  const long long* const all = elements.all;
  const long long work = ((place.batch * all[0] + place.at[0]) * all[1] + place.at[1]) * all[2] + place.at[2];
  const double2 value = elements.swap ? swapped(from[work]) : from[work];
  T result;
  set_number(result, value);
  const long long offset = offset_of(elements, place);
  if constexpr (calls)
    reinterpret_cast<Store>(elements.callback.function)(to, static_cast<size_t>(offset), result,
                                                        elements.callback.info, cufft_shared);
  else
    to[offset] = result;
}

}  // namespace cufft
