// Fused operations against the same work in plain ATen operations, in one run. On a machine with a GPU both
// run there.
#include <ATen/ops/scaled_dot_product_attention.h>
#include <benchmark/benchmark.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include "ops/attention.h"
#include "ops/linear.h"
#include "ops/linear_cross_entropy.h"
#include "ops/rms_norm.h"

namespace cuset::bench {
namespace {

using Normalize = torch::Tensor (*)(const torch::Tensor&, const torch::Tensor&, double);

// Forward and backward of one block input of a 7B model (4096 x 3584), bytes counted as read and written
// once.
void run_rms_norm(benchmark::State& state, Normalize normalize) {
  const bool gpu = torch::cuda::is_available();
  // The CPU has fused loops for float32 only.
  const auto options = gpu ? torch::device(torch::kCUDA).dtype(torch::kBFloat16) : torch::device(torch::kCPU);
  const int64_t rows = gpu ? 4096 : 256;
  auto x = torch::randn({rows, 3584}, options).requires_grad_();
  const auto weight = torch::randn({3584}, options);
  const auto dy = torch::randn({rows, 3584}, options);
  const auto step = [&] {
    x.mutable_grad() = torch::Tensor();
    normalize(x, weight, 1e-6).backward(dy);
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
  return ops::rms_norm(x, {weight, {}}, epsilon);
}

BENCHMARK_CAPTURE(run_rms_norm, fused, fused)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_rms_norm, plain_aten, ops::rms_norm_reference)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

// Forward and backward of one adapted layer (704 -> 256, rank 8, dropout 0.05) of a small model in float32.
using Apply = torch::Tensor (*)(const torch::Tensor&, const ops::LinearWeights&, const ops::Dropout&);

void run_lora(benchmark::State& state, Apply apply, bool with_autograd) {
  const auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  const auto draw = [&](std::vector<int64_t> shape) { return torch::randn(shape, torch::device(device)); };
  ops::LinearWeights layer;
  layer.weight.value = draw({256, 704});
  layer.lora_a = {draw({8, 704}).requires_grad_(with_autograd), draw({8, 704})};
  layer.lora_b = {draw({256, 8}).requires_grad_(with_autograd), draw({256, 8})};
  layer.lora_scale = 2;
  const int64_t tokens = 1024;
  const ops::Dropout dropout{0.05, 7, torch::arange(tokens, torch::device(device).dtype(torch::kInt64))};
  const auto x = draw({tokens, 704}).requires_grad_();
  const auto dy = draw({tokens, 256});
  for (auto _ : state) {
    apply(x, layer, dropout).backward(dy);
    if (x.is_cuda()) torch::cuda::synchronize();
  }
  state.SetItemsProcessed(state.iterations() * tokens);
  state.SetLabel(x.is_cuda() ? "GPU" : "CPU");
}

// ATen's own dropout stands for ours, whose reference draws its masks one by one.
torch::Tensor lora_of_aten(const torch::Tensor& x, const ops::LinearWeights& layer,
                           const ops::Dropout& dropout) {
  const auto xa = torch::matmul(torch::dropout(x, dropout.probability, true), layer.lora_a.value.t());
  return torch::matmul(x, layer.weight.value.t()) +
         torch::matmul(xa, layer.lora_b.value.t()) * layer.lora_scale;
}

BENCHMARK_CAPTURE(run_lora, fused, ops::linear, false)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_lora, plain_aten, lora_of_aten, true)->UseRealTime()->Unit(benchmark::kMicrosecond);

// Figures and gradients of 512 rows over 2048 tokens in float32.
using Head = ops::LinearCrossEntropy (*)(const torch::Tensor&, const torch::Tensor&, const torch::Tensor&,
                                         const ops::LinearCrossEntropyOptions&);

void run_head(benchmark::State& state, Head head) {
  const auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  const auto hidden = torch::randn({512, 256}, device), weight = torch::randn({2048, 256}, device);
  const auto targets = torch::randint(2048, {512}, torch::device(device).dtype(torch::kInt64));
  for (auto _ : state) {
    benchmark::DoNotOptimize(head(hidden, weight, targets, {}));
    if (hidden.is_cuda()) torch::cuda::synchronize();
  }
  state.SetItemsProcessed(state.iterations() * hidden.size(0));
  state.SetLabel(hidden.is_cuda() ? "GPU" : "CPU");
}

BENCHMARK_CAPTURE(run_head, fused, ops::linear_cross_entropy)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_head, plain_aten, ops::linear_cross_entropy_reference)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

// Forward and backward of a training step's attention in float32: `samples` of `tokens` tokens, eight heads of 32.
torch::Tensor attention_of_aten(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                const ops::Segments& segments, const ops::AttentionScores& scores) {
  const auto by_sample = [&](const torch::Tensor& x) {  // [samples, heads, tokens, dim]
    return x.view({segments.samples(), segments.longest, x.size(1), x.size(2)}).transpose(1, 2);
  };
  const auto y = at::scaled_dot_product_attention(by_sample(q), by_sample(k), by_sample(v), {}, 0.0,
                                                  /*is_causal=*/true, scores.scale);
  return y.transpose(1, 2).reshape(q.sizes());
}

void run_attention(benchmark::State& state, decltype(&ops::attention) attention) {
  const auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  const int64_t samples = state.range(0), tokens = state.range(1), heads = 8, dim = 32;
  const auto segments =
      ops::make_segments(std::vector<int64_t>(static_cast<size_t>(samples), tokens), device);
  const auto draw = [&] { return torch::randn({samples * tokens, heads, dim}, device).requires_grad_(); };
  const auto q = draw(), k = draw(), v = draw(), dy = draw().detach();
  for (auto _ : state) {
    attention(q, k, v, segments, {0.18}).backward(dy);
    if (q.is_cuda()) torch::cuda::synchronize();
  }
  state.SetItemsProcessed(state.iterations() * samples * tokens);
  state.SetLabel(q.is_cuda() ? "GPU" : "CPU");
}

BENCHMARK_CAPTURE(run_attention, fused, ops::attention)
    ->Args({8, 512})
    ->Args({2, 2048})
    ->Args({1, 4096})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_attention, plain_aten, attention_of_aten)
    ->Args({8, 512})
    ->Args({2, 2048})
    ->Args({1, 4096})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuset::bench

BENCHMARK_MAIN();
