// What threads know lives across barriers: numbers, pairs, local arrays with changing indices, addresses, sums carried round loops, in
// blocks of three dimensions; loops with barriers that end by a flag in shared memory, by a vote, or inside of other loops.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void local_arrays(const int* in, int* out) {
  __shared__ int line[60];
  const int t = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
  int kept[5];
  for (int i = 0; i < 5; ++i) kept[i] = in[t] * (i + 1);
  const int* place = &in[(t * 7) % 60];
  float2 pair = make_float2(t, -t);
  long long wide = 1ll << (t % 40);
  for (int round = 0; round < 4; ++round) {
    line[t] = kept[(t + round) % 5];
    __syncthreads();
    kept[round] += line[(t + round + 1) % 60];
    pair.x += line[(t + 3) % 60];
    wide += line[59 - t];
    __syncthreads();
  }
  out[t] = kept[0] + kept[1] * 3 + kept[2] * 5 + kept[3] * 7 + kept[4] * 11 + *place +
           static_cast<int>(pair.x - pair.y) + static_cast<int>(wide % 1000003);
}

__global__ void flags(const int* in, int* out, int n) {
  __shared__ int changed;
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  int rounds = 0;
  do {
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    const int first = rounds % 2 + 2 * t;
    if (first + 1 < n && values[first] > values[first + 1]) {
      const int swapped = values[first];
      values[first] = values[first + 1];
      values[first + 1] = swapped;
      changed = 1;
    }
    __syncthreads();
    ++rounds;
  } while (changed || rounds < 3);
  out[t] = values[t];
}

__global__ void votes(int* out, int target) {
  int value = threadIdx.x, rounds = 0;
  while (__syncthreads_count(value < target) > 10) {
    value += 5;
    ++rounds;
    for (int inner = 0; inner < rounds % 3; ++inner) {
      if (__syncthreads_and(value > inner) == 0) value += 1000;
    }
  }
  out[threadIdx.x] = value * 100 + rounds + __syncthreads_or(value == target);
}

int sum_of_local(const int* in, int t) {
  static int kept[60][5];
  int line[60];
  static float x[60];
  static long long wide[60];
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < 5; ++k) kept[i][k] = in[i] * (k + 1);
    x[i] = static_cast<float>(i);
    wide[i] = 1ll << (i % 40);
  }
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 60; ++i) line[i] = kept[i][(i + round) % 5];
    for (int i = 0; i < 60; ++i) {
      kept[i][round] += line[(i + round + 1) % 60];
      x[i] += static_cast<float>(line[(i + 3) % 60]);
      wide[i] += line[59 - i];
    }
  }
  return kept[t][0] + kept[t][1] * 3 + kept[t][2] * 5 + kept[t][3] * 7 + kept[t][4] * 11 + in[(t * 7) % 60] +
         static_cast<int>(x[t] + static_cast<float>(t)) + static_cast<int>(wide[t] % 1000003);
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = i * 31 % 67;
  local_arrays<<<1, dim3(5, 4, 3)>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int t = 0; t < 60; ++t) {
    if (out[t] != sum_of_local(in, t))
      return std::printf("FAIL local_arrays [%d] got %d, wanted %d\n", t, out[t], sum_of_local(in, t)), 1;
  }
  flags<<<1, 64>>>(in, out, 64);
  cudaDeviceSynchronize();
  for (int t = 1; t < 64; ++t) {
    if (out[t - 1] > out[t])
      return std::printf("FAIL flags [%d] %d is before %d\n", t, out[t - 1], out[t]), 1;
  }
  votes<<<1, 64>>>(out, 90);
  cudaDeviceSynchronize();
  int values[64], rounds = 0;
  for (int t = 0; t < 64; ++t) values[t] = t;
  for (;; ++rounds) {
    int below = 0;
    for (int value : values) below += value < 90;
    if (below <= 10) break;
    for (int& value : values) value += 5;
    for (int inner = 0; inner < (rounds + 1) % 3; ++inner) {
      bool all = true;
      for (int value : values) all = all && value > inner;
      for (int& value : values) value += all ? 0 : 1000;
    }
  }
  bool any = false;
  for (int value : values) any = any || value == 90;
  for (int t = 0; t < 64; ++t) {
    if (out[t] != values[t] * 100 + rounds + any)
      return std::printf("FAIL votes [%d] got %d, wanted %d\n", t, out[t], values[t] * 100 + rounds + any), 1;
  }
  std::puts("PASS");
}
