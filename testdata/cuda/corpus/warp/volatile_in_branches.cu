// Volatile stores in a loop, in branches that some lanes leave out, and after some lanes have returned.
// check: skip the lanes race with each other where nothing but volatile orders them
#include <cstdio>
#include <vector>

__global__ void sum_in_loop(const int* in, int* out) {
  __shared__ int slots[6 * 32];
  const int t = threadIdx.x, lane = t % 32;
  volatile int* s = slots + (t - lane);
  s[lane] = in[t];
  for (int step = 16; step > 0; step >>= 1) {
    if (lane < step) s[lane] += s[lane + step];
  }
  if (lane == 0) out[t / 32] = s[0];
}

// Sums up to each lane. Those at which `in` ends have left.
__global__ void scan(const int* in, int count, int* out) {
  __shared__ volatile int slots[6 * 32];
  const int t = threadIdx.x, lane = t % 32;
  if (t >= count) return;
  slots[t] = in[t];
  for (int step = 1; step < 32; step *= 2)
    if (lane >= step) slots[t] = slots[t - step] + slots[t];
  out[t] = slots[t];
}

// Each lane gets the next one's value, even warps by other code than odd ones, every other lane not at all.
__global__ void turn(const int* in, int* out) {
  __shared__ int slots[6 * 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  volatile int* s = slots + warp * 32;
  s[lane] = in[t];
  if (warp % 2 == 0) {
    const int next = s[(lane + 1) % 32];
    s[lane] = next;
  } else if (lane % 2 == 0) {
    s[lane] = s[(lane + 2) % 32];
  }
  out[t] = s[lane];
}

int main() {
  const int n = 6 * 32;
  bool right = true;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 53 + 1, out[i] = -1;
  for (int warps = 2; warps <= 6; ++warps) {
    sum_in_loop<<<1, warps * 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int w = 0; w < warps; ++w) {
      int sum = 0;
      for (int i = 0; i < 32; ++i) sum += in[w * 32 + i];
      right = right && out[w] == sum;
    }
    const int count = warps * 32 - 11;
    for (int i = 0; i < n; ++i) out[i] = -1;
    scan<<<1, warps * 32>>>(in, count, out);
    cudaDeviceSynchronize();
    for (int i = 0, sum = 0; i < n; ++i) {
      sum = i % 32 == 0 ? in[i] : sum + in[i];
      right = right && out[i] == (i < count ? sum : -1);
    }
    turn<<<1, warps * 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < warps * 32; ++i) {
      const int lane = i % 32, first = i - lane;
      const bool is_even_warp = i / 32 % 2 == 0;
      const int from = is_even_warp ? (lane + 1) % 32 : lane % 2 == 0 ? (lane + 2) % 32 : lane;
      right = right && out[i] == in[first + from];
    }
  }
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
