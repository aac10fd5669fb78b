// The second half of the result overwrites the buffer that the other stream still copies the first half from.
// class: streams
// needs: clang
// not: total
// insert: io element device
__global__ void part(const In* in, Out* buffer, int first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) buffer[i] = element(in, first + i);
}
int main() {
  constexpr int kHalf = kOut / 2;
  const In* in = on_device(read_inputs());
  Out *buffer = device_zeros<Out>(kHalf), *out = device_zeros<Out>(kOut);
  cudaStream_t work, copies;
  cudaEvent_t made;
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaEventCreate(&made);
  cudaDeviceSynchronize();
  for (int half = 0; half < 2; ++half) {
    part<<<(kHalf + 63) / 64, 64, 0, work>>>(in, buffer, half * kHalf, kHalf);
    cudaEventRecord(made, work);
    cudaStreamWaitEvent(copies, made, 0);
    cudaMemcpyAsync(out + half * kHalf, buffer, kHalf * sizeof(Out), cudaMemcpyDeviceToDevice, copies);
  }
  cudaStreamSynchronize(copies);
  cudaStreamSynchronize(work);
  write_output(from_device(out, kOut));
}
