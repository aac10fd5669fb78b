// Each thread writes its own byte of a shared word at the same time as its neighbours: different bytes, no
// race.
#include <cstdio>

__global__ void pack(const unsigned char* in, unsigned* out) {
  __shared__ __align__(4) unsigned char bytes[128];
  const int t = threadIdx.x;
  bytes[t] = in[t];
  bytes[t] ^= 0xff;
  __syncthreads();
  if (t < 32) out[t] = reinterpret_cast<const unsigned*>(bytes)[t];
}

int main() {
  unsigned char host[128];
  unsigned result[32];
  for (int i = 0; i < 128; ++i) host[i] = static_cast<unsigned char>(i);
  unsigned char* in;
  unsigned* out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  pack<<<1, 128>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%08x\n", result[1]);
  return result[1] != 0xf8f9fafbu;
}
