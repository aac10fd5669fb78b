// Shuffles of every type: 64-bit integers, float and double keep all their bits.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
__device__ bool moves(T step) {
  T mine = step * static_cast<T>(threadIdx.x + 1);
  T up = __shfl_up_sync(0xffffffffu, mine, 2);
  T down = __shfl_down_sync(0xffffffffu, mine, 2);
  T across = __shfl_xor_sync(0xffffffffu, mine, 31);
  T first = __shfl_sync(0xffffffffu, mine, 0);
  int lane = threadIdx.x;
  return up == step * static_cast<T>(lane >= 2 ? lane - 1 : lane + 1) && first == step &&
         down == step * static_cast<T>(lane < 30 ? lane + 3 : lane + 1) &&
         across == step * static_cast<T>(32 - lane);
}

__global__ void all_types(unsigned* wrong) {
  unsigned bits = 0;
  bits |= !moves<int>(-123456) << 0;
  bits |= !moves<unsigned>(100000007u) << 1;
  bits |= !moves<long>(-40000000000L) << 2;
  bits |= !moves<unsigned long>(50000000000UL) << 3;
  bits |= !moves<long long>(-1234567890123LL) << 4;
  bits |= !moves<unsigned long long>(400000000000000003ULL) << 5;
  bits |= !moves<float>(0.375f) << 6;
  bits |= !moves<double>(1.0000000001) << 7;
  wrong[threadIdx.x] = bits;
}

int main() {
  unsigned got[32];
  for (unsigned& bits : got) bits = ~0u;
  unsigned* wrong;
  cudaMalloc(&wrong, sizeof(got));
  all_types<<<1, 32>>>(wrong);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, wrong, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != 0u) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], 0u), 1;
  std::puts("PASS");
}
