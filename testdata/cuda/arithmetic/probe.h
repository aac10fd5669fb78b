// What a GPU computes where C++ leaves it open, and where it does not: one line for every construct, with the bits of its
// results for a fixed set of inputs. The lines of an NVIDIA GPU are kept beside the programs (*.txt).
//
// A program defines LIST(PROBE) with entries PROBE(id, inputs, expression), where the expression uses x (and y, z), and ends
// with RUN_PROBES. Every combination of the inputs' values is computed.
#pragma once

#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

constexpr int kMostInputs = 1024;

// The bits of a NaN say where it comes from, which programs do not depend on: it is all ones here.
template <class T>
__device__ uint64_t bits_of(T value) {
  static_assert(sizeof value <= 8, "fits into a line");
  if (!(value == value)) return ~0ull;
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
struct Values {
  T value[32];
  int count;
};

template <class Probe>
__global__ void evaluate(typename Probe::Inputs::Lists lists, uint64_t* results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lists.total()) results[i] = bits_of(Probe::of(lists.first(i), lists.second(i), lists.third(i)));
}

template <class X, class Y, class Z>
struct Lists {
  Values<X> x;
  Values<Y> y;
  Values<Z> z;
  __host__ __device__ int total() const { return x.count * y.count * z.count; }
  __host__ __device__ X first(int i) const { return x.value[i % x.count]; }
  __host__ __device__ Y second(int i) const { return y.value[i / x.count % y.count]; }
  __host__ __device__ Z third(int i) const { return z.value[i / x.count / y.count]; }
};

struct Nothing {};

template <class T>
Values<T> values_of();

template <>
inline Values<Nothing> values_of() {
  return {{}, 1};
}

template <class T, class... More>
Values<T> listed(More... more) {
  return {{static_cast<T>(more)...}, sizeof...(more)};
}

template <>
inline Values<int> values_of() {
  return listed<int>(0, 1, -1, 2, -7, 12345, 0x00ff00ff, 0x7fff8000, -0x01020304, 0x55555555, INT_MAX,
                     INT_MIN);
}
template <>
inline Values<unsigned> values_of() {
  return listed<unsigned>(0u, 1u, 2u, 7u, 0xffffu, 0x10000u, 0x12345678u, 0x80ff7f01u, 0x7fffffffu,
                          0x80000000u, 0x80008001u, 0xffffffffu);
}
template <>
inline Values<long long> values_of() {
  return listed<long long>(0ll, 1ll, -1ll, 1ll << 31, -(1ll << 31) - 1, 1ll << 53, 0x0123456789abcdefll,
                           LLONG_MAX, LLONG_MIN);
}
template <>
inline Values<unsigned long long> values_of() {
  return listed<unsigned long long>(0ull, 1ull, 0xffffffffull, 1ull << 32, (1ull << 53) + 1,
                                    0x0123456789abcdefull, 1ull << 63, ~0ull);
}
template <>
inline Values<float> values_of() {
  Values<float> list =
      listed<float>(0.0f, -0.0f, 0.5f, -0.5f, 1.0f, -1.5f, 2.5f, 3.14159274f, -127.6f, 300.25f, -32769.0f,
                    65535.7f, 16777218.0f, 2147483520.0f, -2147483904.0f, 4294967040.0f, 1e10f, -9.3e18f,
                    1.9e19f, 1e-40f, 1e-30f, 3.4e38f, -3.4e38f, INFINITY, -INFINITY);
  const uint32_t nan = 0x7fc00000u;
  memcpy(&list.value[list.count++], &nan, sizeof nan);
  return list;
}
template <>
inline Values<double> values_of() {
  Values<double> list =
      listed<double>(0.0, -0.0, 0.5, -0.5, 1.0, -1.5, 2.5, 3.141592653589793, -127.6, 300.25, -32769.0,
                     65535.7, 2147483647.5, -2147483649.0, 4294967295.5, 1e10, -9.3e18, 1.9e19, 1e-310, 1e-40,
                     1e-300, 1e300, -1e300, INFINITY, -INFINITY);
  const uint64_t nan = 0x7ff8000000000000ull;
  memcpy(&list.value[list.count++], &nan, sizeof nan);
  return list;
}

// Counts of shifts: inside and outside of the width.
struct Count {
  int n;
};
template <>
inline Values<Count> values_of() {
  Values<Count> list{{}, 0};
  for (const int n : {0, 1, 5, 31, 32, 33, 63, 64, 65, 255, -1}) list.value[list.count++].n = n;
  return list;
}

// Few values, for functions of three arguments.
template <class T>
struct Few {
  T value;
  __host__ __device__ operator T() const { return value; }
};
template <>
inline Values<Few<float>> values_of() {
  Values<Few<float>> list{{}, 0};
  for (const float v : {0.0f, -1.0f, 1.00000012f, 0.1f, 1e-40f, 3.4e38f, INFINITY})
    list.value[list.count++].value = v;
  return list;
}
template <>
inline Values<Few<double>> values_of() {
  Values<Few<double>> list{{}, 0};
  for (const double v : {0.0, -1.0, 1.0000000000000002, 0.1, 1e-310, 1.7e308, static_cast<double>(INFINITY)})
    list.value[list.count++].value = v;
  return list;
}
template <>
inline Values<Few<int>> values_of() {
  Values<Few<int>> list{{}, 0};
  for (const int v : {0, -1, 3, 0x7fff8001, INT_MAX, INT_MIN}) list.value[list.count++].value = v;
  return list;
}
template <>
inline Values<Few<unsigned>> values_of() {
  Values<Few<unsigned>> list{{}, 0};
  for (const unsigned v : {0u, 1u, 35u, 0x80ff7f01u, 0x3210u, 0xffffffffu})
    list.value[list.count++].value = v;
  return list;
}

template <class X_, class Y_ = Nothing, class Z_ = Nothing>
struct From {
  using X = X_;
  using Y = Y_;
  using Z = Z_;
  using Lists = ::Lists<X, Y, Z>;
};

template <class Probe>
void run_probe(uint64_t* results) {
  using Inputs = typename Probe::Inputs;
  const typename Inputs::Lists lists{values_of<typename Inputs::X>(), values_of<typename Inputs::Y>(),
                                     values_of<typename Inputs::Z>()};
  const int total = lists.total();
  if (total > kMostInputs) {
    printf("%s: too many inputs\n", Probe::name());
    return;
  }
  evaluate<Probe><<<(total + 127) / 128, 128>>>(lists, results);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s:", Probe::name());
  if (error != cudaSuccess) printf(" %s", cudaGetErrorName(error));
  for (int i = 0; i < total && error == cudaSuccess; ++i)
    printf(" %llx", static_cast<unsigned long long>(results[i]));
  printf("\n");
}

#define UNPACKED(...) __VA_ARGS__
#define DEFINE_PROBE(id, inputs, expression)                           \
  struct probe_##id {                                                  \
    using Inputs = From<UNPACKED inputs>;                              \
    static const char* name() { return #id; }                          \
    __device__ static auto of(Inputs::X x, Inputs::Y y, Inputs::Z z) { \
      return (void)y, (void)z, expression;                             \
    }                                                                  \
  };
#define RUN_ONE_PROBE(id, inputs, expression) run_probe<probe_##id>(results);
#define RUN_PROBES                                              \
  LIST(DEFINE_PROBE)                                            \
  int main() {                                                  \
    uint64_t* results = nullptr;                                \
    cudaMallocManaged(&results, kMostInputs * sizeof *results); \
    LIST(RUN_ONE_PROBE)                                         \
    return 0;                                                   \
  }
