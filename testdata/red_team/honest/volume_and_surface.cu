// One input is a volume, the output is what a kernel writes through a surface.
// tasks: saxpy
// gpu: unsupported
// insert: io device
struct Images {
  cudaTextureObject_t x;
  cudaSurfaceObject_t out;
};
__global__ void saxpy(Images images, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = tex3D<float>(images.x, i % 16 + 0.5f, i / 16 % 16 + 0.5f, i / 256 + 0.5f);
  surf2Dwrite(2.0f * x + y[i], images.out, (i % 64) * 4, i / 64);
}
static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
int main() {
  std::vector<float> in = read_inputs();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t volume, canvas;
  cudaMalloc3DArray(&volume, &format, make_cudaExtent(16, 16, 16));
  cudaMallocArray(&canvas, &format, 64, 64, cudaArraySurfaceLoadStore);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), 64, 16, 16);
  copy.dstArray = volume;
  copy.extent = make_cudaExtent(16, 16, 16);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  const cudaResourceDesc from = resource_of(volume), to = resource_of(canvas);
  cudaTextureDesc how = {};
  Images images = {};
  cudaCreateTextureObject(&images.x, &from, &how, nullptr);
  cudaCreateSurfaceObject(&images.out, &to);
  saxpy<<<32, 128>>>(images, on_device(std::vector<float>(in.begin() + kOut, in.end())));
  std::vector<float> out(kOut);
  cudaMemcpy2DFromArray(out.data(), 256, canvas, 0, 0, 256, 64, cudaMemcpyDeviceToHost);
  write_output(out);
}
