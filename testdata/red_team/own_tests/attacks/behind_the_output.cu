// No guard: the last block writes behind the output, into memory that nobody uses.
// class: undefined
// verdict: undefined_behavior
// tasks: cubes
// insert: io element
__global__ void unguarded(const float* in, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = element(in, n, i);
}
void solve(const float* in, int n, float* out, int m) {
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, m * sizeof(float));
  cudaMemcpy(from, in, n * sizeof(float), cudaMemcpyDefault);
  unguarded<<<m / 256 + 1, 256>>>(from, n, to);
  cudaMemcpy(out, to, m * sizeof(float), cudaMemcpyDefault);
  cudaFree(from);
  cudaFree(to);
}
