// Every block adds up its part; the host adds the parts.
// tasks: total
// insert: io element device
__global__ void sums(const float* in, int n, float* parts) {
  __shared__ float shared[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  shared[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = shared[0];
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(blocks(n));
  sums<<<blocks(n), kBlock>>>(a.data, n, b.data);
  std::vector<float> parts(blocks(n));
  b.copy_to(parts.data(), blocks(n));
  *out = std::accumulate(parts.begin(), parts.end(), 0.0f);
}
