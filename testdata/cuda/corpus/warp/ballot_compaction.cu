// Stream compaction in a warp: a lane's place is the count of true predicates below it in the ballot.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void keep_multiples_of_three(const int* in, int* out, int* counts) {
  int lane = threadIdx.x % 32, warp = blockIdx.x;
  int value = in[warp * 32 + lane];
  bool keep = value % 3 == 0;
  unsigned ballot = __ballot_sync(0xffffffffu, keep);
  int place = __popc(ballot & ((1u << lane) - 1));
  if (keep) out[warp * 32 + place] = value;
  if (lane == 0) counts[warp] = __popc(ballot);
}

int main() {
  int values[320], got[320], counts[10] = {};
  for (int i = 0; i < 320; ++i) values[i] = i * i % 101;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  int* device_counts;
  cudaMalloc(&device_counts, sizeof(counts));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(out, 0xff, sizeof(got));
  keep_multiples_of_three<<<10, 32>>>(in, out, device_counts);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, device_counts, sizeof(counts), cudaMemcpyDeviceToHost);
  for (int w = 0; w < 10; ++w) {
    int place = 0;
    for (int i = 0; i < 32; ++i) {
      if (values[w * 32 + i] % 3) continue;
      if (got[w * 32 + place] != values[w * 32 + i])
        return std::printf("FAIL [%d] got %d, wanted %d\n", w * 32 + place, got[w * 32 + place],
                           values[w * 32 + i]),
               1;
      ++place;
    }
    if (counts[w] != place) return std::printf("FAIL [%d] got %d, wanted %d\n", w, counts[w], place), 1;
  }
  std::puts("PASS");
}
