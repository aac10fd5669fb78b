// atomicCAS on int and 64 bits: succeeds once for each value, returns what was there.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void claim(int* slots, unsigned long long* wide, int* wins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slot = i % 100;
  if (atomicCAS(&slots[slot], -1, i) == -1) atomicAdd(&wins[slot], 1);
  if (atomicCAS(&wide[slot], ~0ull, i * 0x100000000ull) == ~0ull) atomicAdd(&wins[slot], 1000);
}

int main() {
  int slots[100], wins[100] = {};
  unsigned long long wide[100];
  int* device_slots;
  cudaMalloc(&device_slots, sizeof(slots));
  unsigned long long* device_wide;
  cudaMalloc(&device_wide, sizeof(wide));
  int* device_wins;
  cudaMalloc(&device_wins, sizeof(wins));
  cudaMemset(device_slots, 0xff, sizeof(slots));
  cudaMemset(device_wide, 0xff, sizeof(wide));
  cudaMemset(device_wins, 0, sizeof(wins));
  claim<<<50, 64>>>(device_slots, device_wide, device_wins);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(slots, device_slots, sizeof(slots), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, device_wide, sizeof(wide), cudaMemcpyDeviceToHost);
  cudaMemcpy(wins, device_wins, sizeof(wins), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) {
    if (wins[i] != 1001) return std::printf("FAIL [%d] got %d, wanted %d\n", i, wins[i], 1001), 1;
    if (slots[i] % 100 != i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, slots[i] % 100, i), 1;
    int owner = static_cast<int>(wide[i] >> 32);
    if (owner % 100 != i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, owner % 100, i), 1;
  }
  std::puts("PASS");
}
