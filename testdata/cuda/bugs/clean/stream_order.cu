// A function object as kernel argument, asynchronous copies and memory of a stream: all in the order of the
// stream.
#include <cstdio>

template <typename F>
__global__ void for_each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

struct Scale {
  const int* in;
  int* out;
  int factor;
  __device__ void operator()(int i) const { out[i] = factor * in[i]; }
};

int main() {
  const int n = 100;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *host, *in, *out;
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMallocAsync(&in, n * sizeof(int), stream);
  cudaMallocAsync(&out, n * sizeof(int), stream);
  cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  for_each<<<2, 64, 0, stream>>>(n, Scale{in, out, 7});
  cudaFreeAsync(in, stream);
  cudaMemcpyAsync(host, out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(out, stream);
  cudaStreamSynchronize(stream);
  const int last = host[99];
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
  printf("%d\n", last);
  return last != 693;
}
