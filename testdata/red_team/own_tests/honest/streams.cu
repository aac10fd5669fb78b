// Four streams, each with a part of the output.
// insert: io element device
__global__ void part(const float* in, int n, float* out, int first, int last) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) out[i] = element(in, n, i);
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  std::vector<cudaStream_t> streams(4);
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  const int size = (m + 3) / 4;
  for (int s = 0; s < 4; ++s) {
    const int first = s * size, last = std::min(m, first + size);
    if (first < last) part<<<blocks(size), kBlock, 0, streams[s]>>>(a.data, n, b.data, first, last);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  b.copy_to(out, m);
}
