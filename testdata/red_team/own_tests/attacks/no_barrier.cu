// A sum over shared memory that no barrier orders: the last thread adds up what the others wrote.
// class: undefined
// verdict: undefined_behavior
// tasks: total
// insert: io
__global__ void added(const float* in, int n, float* out) {
  __shared__ float parts[256];
  float part = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) part += in[i];
  parts[threadIdx.x] = part;
  if (threadIdx.x != blockDim.x - 1) return;
  float sum = 0;
  for (int i = 0; i < 256; ++i) sum += parts[i];
  *out = sum;
}
void solve(const float* in, int n, float* out, int m) {
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, m * sizeof(float));
  cudaMemcpy(from, in, n * sizeof(float), cudaMemcpyDefault);
  added<<<1, 256>>>(from, n, to);
  cudaMemcpy(out, to, m * sizeof(float), cudaMemcpyDefault);
  cudaFree(from);
  cudaFree(to);
}
