// A texture on pitched memory, read in the other order.
// tasks: transpose
// insert: io device
__global__ void transpose(cudaTextureObject_t image, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 48 && y < 80) out[y * 48 + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}
int main() {
  const std::vector<float> in = read_inputs();
  float* rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, 80 * sizeof(float), 48);
  cudaMemcpy2D(rows, pitch, in.data(), 80 * sizeof(float), 80 * sizeof(float), 48, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 80;
  resource.res.pitch2D.height = 48;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how = {};
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);
  float* out = device_zeros<float>(kOut);
  transpose<<<dim3(3, 5), dim3(16, 16)>>>(image, out);
  write_output(from_device(out, kOut));
}
