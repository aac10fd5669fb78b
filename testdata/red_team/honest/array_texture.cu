// A texture on a CUDA array, read in the other order.
// tasks: transpose
// gpu: unsupported
// insert: io device
__global__ void transpose(cudaTextureObject_t image, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 48 && y < 80) out[y * 48 + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}
int main() {
  const std::vector<float> in = read_inputs();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 80, 48);
  cudaMemcpy2DToArray(array, 0, 0, in.data(), 80 * sizeof(float), 80 * sizeof(float), 48,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  how.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);
  float* out = device_zeros<float>(kOut);
  transpose<<<dim3(3, 5), dim3(16, 16)>>>(image, out);
  write_output(from_device(out, kOut));
}
