// The host computes; a kernel reads the results from a texture on a CUDA array.
// class: copy
// verdict: host_work
// tasks: saxpy transpose
// gpu: unsupported
// insert: io host device
__global__ void fetch(cudaTextureObject_t texture, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = tex2D<Out>(texture, i % 16 + 0.5f, i / 16 + 0.5f);
}
int main() {
  const std::vector<Out> result = host_result();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Out>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, kOut / 16);
  cudaMemcpy2DToArray(array, 0, 0, result.data(), 16 * sizeof(Out), 16 * sizeof(Out), kOut / 16,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  Out* out = device_zeros<Out>(kOut);
  fetch<<<(kOut + 127) / 128, 128>>>(texture, out);
  write_output(from_device(out, kOut));
}
