// Fused operations against the same work in plain ATen operations, in one run. On a machine with a GPU both
// run there.
#include <benchmark/benchmark.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include "ops/rms_norm.h"

namespace cuset {
namespace {

using Normalise = torch::Tensor (*)(const torch::Tensor&, const torch::Tensor&, double);

// Forward and backward of one block input of a 7B model (4096 x 3584), bytes counted as read and written
// once.
void run_rms_norm(benchmark::State& state, Normalise normalise) {
  const bool gpu = torch::cuda::is_available();
  const auto options = torch::device(gpu ? torch::kCUDA : torch::kCPU).dtype(torch::kBFloat16);
  const int64_t rows = gpu ? 4096 : 256;
  auto x = torch::randn({rows, 3584}, options).requires_grad_();
  const auto weight = torch::randn({3584}, options);
  const auto dy = torch::randn({rows, 3584}, options);
  const auto step = [&] {
    x.mutable_grad() = torch::Tensor();
    normalise(x, weight, 1e-6).backward(dy);
  };
  for (int i = 0; i < 3; ++i) step();
  if (gpu) torch::cuda::synchronize();
  for (auto _ : state) {
    step();
    if (gpu) torch::cuda::synchronize();
  }
  const int64_t tensors_moved = 5;  // x, y; then x, dy, dx
  state.SetBytesProcessed(state.iterations() * tensors_moved * x.nbytes());
  state.SetLabel(gpu ? "GPU" : "CPU");
}

torch::Tensor fused(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  return rms_norm(x, {weight, {}}, epsilon);
}

BENCHMARK_CAPTURE(run_rms_norm, fused, fused)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_rms_norm, plain_aten, rms_norm_reference)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuset

BENCHMARK_MAIN();
