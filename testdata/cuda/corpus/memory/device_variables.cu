// __device__ variables: initial values, changed by one kernel, seen by the next, copied both ways by symbol.
#include <cuda_runtime.h>

#include <cstdio>

struct Point {
  int x, y;
};

__device__ int counter = 40;
__device__ float table[4] = {0.5f, 1.5f};
__device__ Point origin = {3, -4};
__device__ int grid_of[2][3] = {{1, 2, 3}, {4, 5, 6}};

__global__ void change() {
  counter += 2;
  for (int i = 0; i < 4; ++i) table[i] += 10;
  origin.y *= origin.x;
  grid_of[1][2] = grid_of[0][1] * 100;
}

int main() {
  float replacement[2] = {7, 8};
  if (cudaMemcpyToSymbol(table, replacement, sizeof(replacement), 2 * sizeof(float)) != cudaSuccess)
    return std::puts("FAIL copy"), 1;
  change<<<1, 1>>>();
  change<<<1, 1>>>();
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  int count = 0, cells[2][3] = {};
  float values[4] = {}, want[4] = {20.5f, 21.5f, 27, 28};
  Point point = {};
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  cudaMemcpyFromSymbol(values, table, sizeof(values));
  cudaMemcpyFromSymbol(&point, origin, sizeof(point));
  cudaMemcpyFromSymbol(cells, grid_of, sizeof(cells));
  if (count != 44) return std::printf("FAIL counter %d, wanted 44\n", count), 1;
  for (int i = 0; i < 4; ++i)
    if (values[i] != want[i]) return std::printf("FAIL [%d] got %g, wanted %g\n", i, values[i], want[i]), 1;
  if (point.x != 3 || point.y != -36) return std::printf("FAIL point %d %d\n", point.x, point.y), 1;
  if (cells[0][1] != 2 || cells[1][2] != 200 || cells[1][0] != 4)
    return std::printf("FAIL cell %d\n", cells[1][2]), 1;
  std::puts("PASS");
}
