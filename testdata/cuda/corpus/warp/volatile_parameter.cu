// Sums of whole warps by device functions that get a volatile pointer: a template, one that is not inlined by itself, and one
// that calls another.
// check: skip the lanes race with each other where nothing but volatile orders them
#include <cstdio>
#include <vector>

template <typename T, int Step>
__device__ void add(volatile T* s, int i) {
  if constexpr (Step > 0) {
    s[i] += s[i + Step];
    add<T, Step / 2>(s, i);
  }
}

__device__ __noinline__ void add_largest(volatile float* s, int i) {
  s[i] = fmaxf(s[i], s[i + 16]);
  s[i] = fmaxf(s[i], s[i + 8]);
  s[i] = fmaxf(s[i], s[i + 4]);
  s[i] = fmaxf(s[i], s[i + 2]);
  s[i] = fmaxf(s[i], s[i + 1]);
}

template <typename T>
__device__ T of_warp(T value, volatile T* slots, bool largest) {
  const int i =
      threadIdx.x / 32 * 64 + threadIdx.x % 32;  // 32 more beside each warp are read and do not count
  slots[i] = value;
  slots[i + 32] = 0;
  if (largest)
    add_largest((volatile float*)slots, i);
  else
    add<T, 16>(slots, i);
  return slots[i - threadIdx.x % 32];
}

template <typename T, bool Largest>
__global__ void reduce(const T* in, T* out) {
  __shared__ T slots[6 * 64];
  const T result = of_warp(in[threadIdx.x], slots, Largest);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = result;
}

template <typename T, bool Largest>
bool is_right(int warps) {
  std::vector<T> in(warps * 32), out(warps), wanted(warps);
  for (int i = 0; i < warps * 32; ++i) {
    in[i] = T(i * 37 % 101 + 1);
    T& result = wanted[i / 32];
    result = Largest ? (in[i] > result ? in[i] : result) : result + in[i];
  }
  T *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(T));
  cudaMalloc(&d_out, out.size() * sizeof(T));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0xff, out.size() * sizeof(T));
  reduce<T, Largest><<<1, warps * 32>>>(d_in, d_out);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return out == wanted;
}

int main() {
  bool right = true;
  for (int warps = 2; warps <= 6; ++warps)
    right =
        right && is_right<int, false>(warps) && is_right<float, false>(warps) && is_right<float, true>(warps);
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
