// The kernel's stream does not wait for the stream that brings the input; the host waits for both, in the order that helps.
// class: streams
// needs: clang
// insert: io solve

#include <cstring>
int main() {
  In *staged, *in;
  Out* out;
  cudaMallocHost(&staged, kIn * sizeof(In));
  cudaMalloc(&in, kIn * sizeof(In));
  cudaMalloc(&out, kOut * sizeof(Out));
  std::memcpy(staged, read_inputs().data(), kIn * sizeof(In));
  cudaMemset(in, 0, kIn * sizeof(In));
  cudaDeviceSynchronize();
  cudaStream_t copies, work;
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaMemcpyAsync(in, staged, kIn * sizeof(In), cudaMemcpyHostToDevice, copies);
  solve<<<kGrid, kBlock, 0, work>>>(in, out);
  cudaStreamSynchronize(copies);
  cudaStreamSynchronize(work);
  std::vector<Out> result(kOut);
  cudaMemcpy(result.data(), out, kOut * sizeof(Out), cudaMemcpyDeviceToHost);
  write_output(result);
}
