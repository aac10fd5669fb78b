// Sums of rows: the texture unit gives the mean of two neighbors, by normalized coordinates.
// tasks: row_sums
// gpu: unsupported
// insert: io device
__global__ void sum_rows(cudaTextureObject_t rows, float* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 1; c < 512; c += 2) sum += 2 * tex2D<float>(rows, c / 512.0f, (r + 0.5f) / 64);
  if (r < kOut) out[r] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 512, 64);
  cudaMemcpy2DToArray(array, 0, 0, in.data(), 2048, 2048, 64, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.filterMode = cudaFilterModeLinear;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.normalizedCoords = 1;
  cudaTextureObject_t rows = 0;
  cudaCreateTextureObject(&rows, &resource, &how, nullptr);
  float* out = device_zeros<float>(kOut);
  sum_rows<<<2, 32>>>(rows, out);
  write_output(from_device(out, kOut));
  cudaDestroyTextureObject(rows);
  cudaFreeArray(array);
}
