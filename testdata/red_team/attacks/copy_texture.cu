// The host computes; a kernel reads the results from a texture.
// class: copy
// insert: io host device
__global__ void fetch(cudaTextureObject_t texture, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = tex1Dfetch<Out>(texture, i);
}
int main() {
  Out* in = on_device(host_result());
  Out* out = device_zeros<Out>(kOut);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in;
  resource.res.linear.desc = cudaCreateChannelDesc<Out>();
  resource.res.linear.sizeInBytes = kOut * sizeof(Out);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  fetch<<<(kOut + 127) / 128, 128>>>(texture, out);
  write_output(from_device(out, kOut));
}
