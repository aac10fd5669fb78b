// Reads through textures on linear memory.
// tasks: saxpy
// insert: io device
__global__ void saxpy(cudaTextureObject_t x, cudaTextureObject_t y, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 2.0f * tex1Dfetch<float>(x, i) + tex1Dfetch<float>(y, i);
}
static cudaTextureObject_t texture_of(float* values) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = kOut * sizeof(float);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}
int main() {
  float* in = on_device(read_inputs());
  float* out = device_zeros<float>(kOut);
  saxpy<<<32, 128>>>(texture_of(in), texture_of(in + kOut), out);
  write_output(from_device(out, kOut));
}
