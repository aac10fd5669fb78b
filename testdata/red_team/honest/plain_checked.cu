// C style with every call checked.
// insert: io solve
#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t status = (call);                                     \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      return EXIT_FAILURE;                                                 \
    }                                                                      \
  } while (0)
int main(void) {
  std::vector<In> in = read_inputs();
  std::vector<Out> out(kOut);
  In* device_in = NULL;
  Out* device_out = NULL;
  CHECK(cudaMalloc((void**)&device_in, kIn * sizeof(In)));
  CHECK(cudaMalloc((void**)&device_out, kOut * sizeof(Out)));
  CHECK(cudaMemcpy(device_in, in.data(), kIn * sizeof(In), cudaMemcpyHostToDevice));
  solve<<<kGrid, kBlock>>>(device_in, device_out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out.data(), device_out, kOut * sizeof(Out), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  write_output(out);
  return EXIT_SUCCESS;
}
