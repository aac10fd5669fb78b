// A struct that holds device pointers, passed by value, and another that lives in device memory itself.
#include <cuda_runtime.h>

#include <cstdio>

struct Matrix {
  int rows, columns;
  float* cells;
  __device__ float& at(int r, int c) const { return cells[r * columns + c]; }
};

struct Job {
  Matrix in, out;
};

__global__ void transpose(Matrix in, Matrix out) {
  out.at(threadIdx.x, threadIdx.y) = in.at(threadIdx.y, threadIdx.x);
}

__global__ void add_one(const Job* job) {
  job->out.at(threadIdx.y, threadIdx.x) += job->in.at(threadIdx.x, threadIdx.y) + 1;
}

int main() {
  float values[60], got[60] = {};
  for (int i = 0; i < 60; ++i) values[i] = i;
  Job job = {{6, 10, nullptr}, {10, 6, nullptr}}, *device_job;
  cudaMalloc(&job.in.cells, sizeof(values));
  cudaMalloc(&job.out.cells, sizeof(values));
  cudaMalloc(&device_job, sizeof(job));
  cudaMemcpy(job.in.cells, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemcpy(device_job, &job, sizeof(job), cudaMemcpyHostToDevice);
  transpose<<<1, dim3(10, 6)>>>(job.in, job.out);
  add_one<<<1, dim3(6, 10)>>>(device_job);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, job.out.cells, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 60; ++i) {
    float want = values[i % 6 * 10 + i / 6] * 2 + 1;
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
