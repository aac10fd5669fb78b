// Virtual functions of objects made in device code, kept in global memory between kernels.
#include <cuda_runtime.h>

#include <cstdio>

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 4; }
};

struct Rectangle : Shape {
  __device__ Rectangle(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
  int width, height;
};

struct Triangle : Rectangle {
  __device__ Triangle(int w, int h) : Rectangle(w, h) {}
  __device__ int area() const override { return Rectangle::area() / 2; }
  __device__ int corners() const override { return 3; }
};

__global__ void make(Shape** shapes) {
  int t = threadIdx.x;
  shapes[t] = t % 2 ? static_cast<Shape*>(new Triangle(t, 10)) : new Rectangle(t, 10);
}

__global__ void measure(Shape** shapes, int* out) {
  out[threadIdx.x] = shapes[threadIdx.x]->area() * 10 + shapes[threadIdx.x]->corners();
  delete shapes[threadIdx.x];
}

int main() {
  int got[40] = {};
  Shape** shapes;
  cudaMalloc(&shapes, 40 * sizeof(Shape*));
  int* out;
  cudaMalloc(&out, sizeof(got));
  make<<<1, 40>>>(shapes);
  measure<<<1, 40>>>(shapes, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 40; ++t)
    if (got[t] != (t % 2 ? t * 5 * 10 + 3 : t * 10 * 10 + 4))
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t],
                         (t % 2 ? t * 5 * 10 + 3 : t * 10 * 10 + 4)),
             1;
  std::puts("PASS");
}
