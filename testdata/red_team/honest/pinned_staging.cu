// Pinned staging buffers and asynchronous copies.
// insert: io solve

#include <cstring>
int main() {
  In *staged, *in;
  Out *result, *out;
  cudaMallocHost(&staged, kIn * sizeof(In));
  cudaMallocHost(&result, kOut * sizeof(Out));
  cudaMalloc(&in, kIn * sizeof(In));
  cudaMalloc(&out, kOut * sizeof(Out));
  std::memcpy(staged, read_inputs().data(), kIn * sizeof(In));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(in, staged, kIn * sizeof(In), cudaMemcpyHostToDevice, stream);
  solve<<<kGrid, kBlock, 0, stream>>>(in, out);
  cudaMemcpyAsync(result, out, kOut * sizeof(Out), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  write_output(std::vector<Out>(result, result + kOut));
}
