// A graph copies into a small variable again and again.
// class: hidden_host
// tasks: cubes
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
struct Some {
  float x[32];
};
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 42) return;
  Some some;
  Buffer stage(32);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(&some, stage.data, sizeof some, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0);
  for (int i = 0; i < n; i += 32) {
    const size_t bytes = std::min(32, n - i) * sizeof(float);
    cudaMemcpy(stage.data, in + i, bytes, cudaMemcpyDeviceToDevice);
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
#pragma unroll
    for (int k = 0; k < 32; ++k) some.x[k] = some.x[k] * some.x[k] * some.x[k] - some.x[k];
    cudaMemcpy(out + i, &some, bytes, cudaMemcpyHostToDevice);
  }
}
