// Speed of the CUDA source analyzer in bytes per second, over a made-up program of many kernels and launches.
#include <benchmark/benchmark.h>

#include <string>

#include "cuda_source/answer.h"
#include "cuda_source/lexer.h"
#include "cuda_source/regions.h"

namespace {

// About 1 MiB of CUDA in the style of model answers.
const std::string& program() {
  static const std::string text = [] {
    std::string result = "#include <cuda_runtime.h>\n#include <cstdio>\n\n#define TILE 32\n\n";
    for (int i = 0; result.size() < (1 << 20); ++i) {
      const std::string n = std::to_string(i);
      result +=
          "// Multiplies the tiles of two matrices; one thread per element of the result.\n"
          "template <typename T>\n__global__ void __launch_bounds__(TILE * TILE) multiply_" +
          n +
          "(const T* __restrict__ a, const T* __restrict__ b, T* c, int n) {\n"
          "  __shared__ T left[TILE][TILE + 1];\n  __shared__ T right[TILE][TILE + 1];\n"
          "  const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
          "  const int column = blockIdx.x * blockDim.x + threadIdx.x;\n  T sum = 0;\n"
          "  for (int t = 0; t < n / TILE; ++t) {\n"
          "    left[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];\n"
          "    right[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];\n"
          "    __syncthreads();\n#pragma unroll\n"
          "    for (int k = 0; k < TILE; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];\n"
          "    __syncthreads();\n  }\n  if (row < n && column < n) c[row * n + column] = sum;\n}\n\n"
          "void run_" +
          n +
          "(const float* a, const float* b, float* c, int n) {\n"
          "  dim3 block(TILE, TILE);\n  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);\n"
          "  multiply_" +
          n +
          "<float><<<grid, block>>>(a, b, c, n);\n"
          "  cudaError_t error = cudaGetLastError();\n"
          "  if (error != cudaSuccess) printf(\"launch failed: %s\\n\", cudaGetErrorString(error));\n}\n\n";
    }
    return result;
  }();
  return text;
}

void set_bytes(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

void lexing(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cuset::cuda_source::lex(program()));
  set_bytes(state, program().size());
}
BENCHMARK(lexing)->Unit(benchmark::kMillisecond);

void finding_regions(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cuset::cuda_source::find_regions(program()));
  set_bytes(state, program().size());
}
BENCHMARK(finding_regions)->Unit(benchmark::kMillisecond);

void finding_sensitive_regions(benchmark::State& state) {
  cuset::cuda_source::RegionOptions options;
  options.sensitivity = options.device_functions = true;
  for (auto _ : state) benchmark::DoNotOptimize(cuset::cuda_source::find_regions(program(), options));
  set_bytes(state, program().size());
}
BENCHMARK(finding_sensitive_regions)->Unit(benchmark::kMillisecond);

void finding_regions_in_python(benchmark::State& state) {
  const std::string answer = "```python\nimport torch\nsource = r'''\n" + program() + "'''\n```\n";
  for (auto _ : state) benchmark::DoNotOptimize(cuset::cuda_source::find_regions_in_answer(answer));
  set_bytes(state, answer.size());
}
BENCHMARK(finding_regions_in_python)->Unit(benchmark::kMillisecond);

void extracting_code(benchmark::State& state) {
  const std::string answer = "<think>\nFirst...\n</think>\n```cuda\n" + program() + "```\n";
  for (auto _ : state) benchmark::DoNotOptimize(cuset::cuda_source::extract_code(answer));
  set_bytes(state, answer.size());
}
BENCHMARK(extracting_code)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
