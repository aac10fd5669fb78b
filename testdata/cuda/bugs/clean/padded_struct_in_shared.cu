// A struct with padding goes from registers into shared memory and back out, by assignment.
#include <cstdio>

struct Best {
  float score;
  bool valid;  // three bytes of padding follow
};

__global__ void maximum(const float* in, Best* out) {
  __shared__ Best best[64];
  const int t = threadIdx.x;
  Best mine;
  mine.score = in[t];
  mine.valid = in[t] >= 0;
  best[t] = mine;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half && best[t + half].valid && (!best[t].valid || best[t + half].score > best[t].score)) {
      best[t] = best[t + half];
    }
    __syncthreads();
  }
  if (t == 0) *out = best[0];
}

int main() {
  float host[64];
  for (int i = 0; i < 64; ++i) host[i] = (i * 37) % 64 - 10.0f;
  float* in;
  Best *out, result;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(Best));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  maximum<<<1, 64>>>(in, out);
  cudaMemcpy(&result, out, sizeof(Best), cudaMemcpyDeviceToHost);
  printf("%g %d\n", result.score, result.valid);
  return result.score != 53.0f || !result.valid;
}
