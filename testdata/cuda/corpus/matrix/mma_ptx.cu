// Inline PTX of tensor cores: ldmatrix (plain and transposed) feeds mma.sync of half; mma.sync of tf32 and of bytes.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned in_shared(const void* address) {
  return static_cast<unsigned>(__cvta_generic_to_shared(address));
}

// D[16][8] = A[16][16] * B[16][8] + 1, both by rows.
__global__ void halves(const __half* a, const __half* b, float* d) {
  __shared__ __align__(16) __half left[256], right[128];
  const unsigned lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) left[i] = a[i];
  for (int i = lane; i < 128; i += 32) right[i] = b[i];
  __syncwarp();
  unsigned x[4], y[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(in_shared(left + lane % 16 * 16 + lane / 16 * 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(y[0]), "=r"(y[1])
               : "r"(in_shared(right + lane % 16 * 8)));
  float sum[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sum[i];
}

// Every element of A is row + 1 and of B column - 3: sums of 8 products.
__global__ void singles(float* d) {
  const unsigned lane = threadIdx.x;
  const unsigned low = __float_as_uint(lane / 4 + 1.0f), high = __float_as_uint(lane / 4 + 9.0f);
  const unsigned y = __float_as_uint(lane / 4 - 3.0f);
  float sum[4];
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
      : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
      : "r"(low), "r"(high), "r"(low), "r"(high), "r"(y), "r"(y), "f"(0.5f));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sum[i];
}

__global__ void bytes(int* d) {
  const unsigned lane = threadIdx.x;
  const unsigned low = (lane / 4 + 1) * 0x01010101u, high = (lane / 4 + 9) * 0x01010101u;
  const unsigned y = ((lane / 4 - 3) & 255) * 0x01010101u;
  int sum[4] = {};
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%6,%6}, {%0,%1,%2,%3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(low), "r"(high), "r"(y));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sum[i];
}

int main() {
  static __half a[256], b[128];
  static float got[256];
  static int sums[128];
  for (int i = 0; i < 256; ++i) a[i] = float(i * 5 % 9) - 4;
  for (int i = 0; i < 128; ++i) b[i] = float(i * 3 % 7) - 3;
  __half *left, *right;
  float* out;
  int* integers;
  cudaMalloc(&left, sizeof a), cudaMalloc(&right, sizeof b);
  cudaMalloc(&out, sizeof got), cudaMalloc(&integers, sizeof sums);
  cudaMemcpy(left, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, sizeof b, cudaMemcpyHostToDevice);
  halves<<<1, 32>>>(left, right, out);
  singles<<<1, 32>>>(out + 128);
  bytes<<<1, 32>>>(integers);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, integers, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    const int row = i / 8, column = i % 8;
    float want = 1;
    for (int k = 0; k < 16; ++k) want += float(a[row * 16 + k]) * float(b[k * 8 + column]);
    const int product = (row + 1) * (column - 3);
    if (got[i] != want || got[128 + i] != 8 * product + 0.5f || sums[i] != 32 * product)
      return std::printf("FAIL [%d] got %g, %g, %d, wanted %g, %g, %d\n", i, got[i], got[128 + i], sums[i],
                         want, 8 * product + 0.5f, 32 * product),
             1;
  }
  std::puts("PASS");
}
