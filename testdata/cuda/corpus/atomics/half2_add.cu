// atomicAdd on __half, __half2, __nv_bfloat16 and __nv_bfloat162: both parts of a pair are added.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(__half* half, __half2* pair, __nv_bfloat16* brain, __nv_bfloat162* brain_pair) {
  atomicAdd(half, __float2half(0.5f));
  atomicAdd(pair, __floats2half2_rn(1.0f, -2.0f));
  atomicAdd(brain, __float2bfloat16(0.25f));
  atomicAdd(brain_pair, __floats2bfloat162_rn(-0.5f, 1.0f));
}

__global__ void widen(const __half* half, const __half2* pair, const __nv_bfloat16* brain,
                      const __nv_bfloat162* brain_pair, float* out) {
  out[0] = __half2float(*half);
  out[1] = __low2float(*pair);
  out[2] = __high2float(*pair);
  out[3] = __bfloat162float(*brain);
  out[4] = __low2float(*brain_pair);
  out[5] = __high2float(*brain_pair);
}

int main() {
  __half* half;
  cudaMalloc(&half, 64);
  __half2* pair = reinterpret_cast<__half2*>(half + 8);
  __nv_bfloat16* brain = reinterpret_cast<__nv_bfloat16*>(half + 16);
  __nv_bfloat162* brain_pair = reinterpret_cast<__nv_bfloat162*>(half + 24);
  float* out;
  cudaMalloc(&out, 24);
  float got[6] = {}, want[6] = {64, 128, -256, 32, -64, 128};
  cudaMemset(half, 0, 64);
  add<<<4, 32>>>(half, pair, brain, brain_pair);
  widen<<<1, 1>>>(half, pair, brain, brain_pair, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
