#include "ops/linear_cross_entropy.h"

#include <ATen/ops/_log_softmax.h>
#include <torch/autograd.h>

#include <algorithm>

#include "base/error.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/row_parts.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/linear_cross_entropy_gpu.h"
#include "ops/linear.h"
#include "ops/wide_type.h"

namespace cuset::ops {
namespace {

// Bytes of logits held at a time: large products on a GPU, something that stays in the cache on a CPU.
constexpr int64_t kGpuChunkBytes = int64_t{320} << 20;
constexpr int64_t kCpuChunkBytes = int64_t{4} << 20;
constexpr int64_t kFewestChunkRows = 16;

int64_t rows_per_chunk(const torch::Tensor& hidden, const torch::Tensor& weight,
                       const LinearCrossEntropyOptions& options) {
  if (options.chunk_rows > 0) return options.chunk_rows;
  const int64_t row_bytes = weight.size(0) * static_cast<int64_t>(weight.element_size());
  const int64_t budget = hidden.is_cuda() ? kGpuChunkBytes : kCpuChunkBytes;
  return std::max(kFewestChunkRows, budget / row_bytes);
}

void check_shapes(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& targets,
                  const LinearCrossEntropyOptions& options) {
  CUSET_CHECK(hidden.dim() == 2 && weight.dim() == 2 && hidden.size(1) == weight.size(1) &&
                  targets.numel() == hidden.size(0),
              "hidden {}, weight {}, targets {}", c10::str(hidden.sizes()), c10::str(weight.sizes()),
              c10::str(targets.sizes()));
  CUSET_CHECK(options.temperature > 0, "temperature {}", options.temperature);
  CUSET_CHECK(!options.reference_hidden.defined() || options.reference_hidden.sizes() == hidden.sizes(),
              "hidden {}, reference {}", c10::str(hidden.sizes()),
              c10::str(options.reference_hidden.sizes()));
}

// Entropy of the softmax over the `tokens` largest logits of every row, renormalized; 0: over all.
torch::Tensor entropy_of(const torch::Tensor& logits, int64_t tokens) {
  const bool all = tokens == 0 || tokens >= logits.size(1);
  const auto top = all ? logits : std::get<0>(logits.topk(tokens, 1, /*largest=*/true, /*sorted=*/false));
  const auto log_p = top.to(wide_type(logits.scalar_type())).log_softmax(1);
  return -(log_p.exp() * log_p).sum(1);
}

// [rows, vocab], divided by the temperature.
torch::Tensor scaled_logits(const torch::Tensor& hidden, const torch::Tensor& weight, double temperature) {
  auto z = torch::mm(hidden, weight.t());
  if (temperature != 1) z.div_(temperature);
  return z;
}

// Metrics of one chunk are written into these slices.
struct ChunkMetrics {
  torch::Tensor log_probability;
  torch::Tensor best_log_probability;
  torch::Tensor is_likeliest;
};

void differentiate_logits_on_cpu(torch::Tensor& z, const torch::Tensor& targets, bool gradient,
                                 ChunkMetrics& metrics) {
  const int64_t vocab = z.size(1);
  auto* logits = z.data_ptr<float>();
  const auto columns = targets.contiguous();
  const auto* target = columns.const_data_ptr<int64_t>();
  auto* log_probability = metrics.log_probability.data_ptr<float>();
  auto* best = metrics.best_log_probability.data_ptr<float>();
  auto* is_likeliest = metrics.is_likeliest.data_ptr<bool>();
  for_row_parts(z.size(0), row_parts(z.size(0), 1), [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      CUSET_CHECK(target[row] >= 0 && target[row] < vocab, "target {} of {} tokens", target[row], vocab);
      const SoftmaxRow figure = softmax_row(logits + row * vocab, vocab, target[row], gradient);
      log_probability[row] = figure.log_probability;
      best[row] = figure.best_log_probability;
      is_likeliest[row] = figure.is_likeliest;
    }
  });
}

// Turns the logits `z` into softmax - onehot in place where `gradient`, and fills the metrics.
void differentiate_logits(torch::Tensor& z, const torch::Tensor& targets, bool gradient,
                          ChunkMetrics metrics) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(z)) {
    linear_cross_entropy_gpu({.type = gpu_type_of(z, "head"),
                              .rows = z.size(0),
                              .vocab = z.size(1),
                              .z = z.data_ptr(),
                              .targets = targets.const_data_ptr<int64_t>(),
                              .log_probability = metrics.log_probability.data_ptr<float>(),
                              .best_log_probability = metrics.best_log_probability.data_ptr<float>(),
                              .is_likeliest = metrics.is_likeliest.data_ptr<bool>(),
                              .write_gradient = gradient},
                             current_gpu_stream(z));
    return;
  }
#endif
  if (has_cpu_loops(z) && z.is_contiguous()) {
    differentiate_logits_on_cpu(z, targets, gradient, metrics);
    return;
  }
  const auto column = targets.unsqueeze(1);
  const auto log_p =
      at::_log_softmax(z.to(metrics.log_probability.scalar_type()), 1, /*half_to_float=*/false);
  const auto of_target = log_p.gather(1, column).squeeze(1);
  metrics.log_probability.copy_(of_target);
  metrics.best_log_probability.copy_(log_p.amax(1));
  metrics.is_likeliest.copy_(z.argmax(1) == targets);
  if (!gradient) return;
  const auto p = log_p.exp_();
  p.scatter_add_(1, column, torch::full_like(column, -1, p.options()));
  z.copy_(p);
}

// KL(reference || policy) of every row; turns the reference's logits into policy - reference in place.
torch::Tensor differentiate_divergence(const torch::Tensor& z, torch::Tensor& reference) {
  const auto type = wide_type(z.scalar_type());
  const auto log_p = at::_log_softmax(z.to(type), 1, false);
  const auto log_q = at::_log_softmax(reference.to(type), 1, false);
  const auto q = log_q.exp();
  auto divergence = (q * (log_q - log_p)).sum(1);
  reference.copy_(log_p.exp() - q);
  return divergence;
}

LinearCrossEntropy allocate_rows(const torch::Tensor& hidden, const LinearCrossEntropyOptions& options) {
  const auto metrics = hidden.options().dtype(wide_type(hidden.scalar_type())).requires_grad(false);
  LinearCrossEntropy rows;
  rows.log_probability = torch::empty({hidden.size(0)}, metrics);
  rows.best_log_probability = torch::empty({hidden.size(0)}, metrics);
  rows.is_likeliest = torch::empty({hidden.size(0)}, metrics.dtype(torch::kBool));
  if (options.entropy) rows.entropy = torch::empty({hidden.size(0)}, metrics);
  if (options.gradient) rows.hidden_gradient = torch::empty_like(hidden);
  if (options.reference_hidden.defined()) {
    rows.divergence = torch::empty({hidden.size(0)}, metrics);
    if (options.gradient) rows.divergence_gradient = torch::empty_like(hidden);
  }
  return rows;
}

}  // namespace

LinearCrossEntropy linear_cross_entropy(const torch::Tensor& hidden, const torch::Tensor& weight,
                                        const torch::Tensor& targets,
                                        const LinearCrossEntropyOptions& options) {
  const torch::NoGradGuard no_gradient;
  check_shapes(hidden, weight, targets, options);
  LinearCrossEntropy rows = allocate_rows(hidden, options);
  const int64_t step = rows_per_chunk(hidden, weight, options);
  for (int64_t first = 0; first < hidden.size(0); first += step) {
    const int64_t count = std::min(step, hidden.size(0) - first);
    const auto slice = [&](const torch::Tensor& x) { return x.narrow(0, first, count); };
    auto z = scaled_logits(slice(hidden), weight, options.temperature);  // [count, vocab]
    if (options.entropy) slice(rows.entropy).copy_(entropy_of(z, options.entropy_tokens));
    if (options.reference_hidden.defined()) {
      auto reference = scaled_logits(slice(options.reference_hidden), weight, options.temperature);
      slice(rows.divergence).copy_(differentiate_divergence(z, reference));
      if (options.gradient) {
        auto target = slice(rows.divergence_gradient);
        torch::mm_out(target, reference, weight);
      }
    }
    differentiate_logits(
        z, slice(targets), options.gradient,
        {slice(rows.log_probability), slice(rows.best_log_probability), slice(rows.is_likeliest)});
    if (options.gradient) {
      auto target = slice(rows.hidden_gradient);
      torch::mm_out(target, z, weight);
    }
  }
  if (options.temperature != 1) {
    if (rows.hidden_gradient.defined()) rows.hidden_gradient.div_(options.temperature);
    if (rows.divergence_gradient.defined()) rows.divergence_gradient.div_(options.temperature);
  }
  return rows;
}

void add_head_weight_gradient(const torch::Tensor& hidden, const Parameter& weight,
                              const torch::Tensor& targets, const HeadWeightGradient& weights,
                              const LinearCrossEntropyOptions& options) {
  const torch::NoGradGuard no_gradient;
  check_shapes(hidden, weight.value, targets, options);
  CUSET_CHECK(weight.is_trained(), "the head is frozen");
  CUSET_CHECK(!weights.divergence_weights.defined() || options.reference_hidden.defined(), "no reference");
  LinearCrossEntropy scratch = allocate_rows(hidden, {.gradient = false});
  const int64_t step = rows_per_chunk(hidden, weight.value, options);
  for (int64_t first = 0; first < hidden.size(0); first += step) {
    const int64_t count = std::min(step, hidden.size(0) - first);
    const auto slice = [&](const torch::Tensor& x) { return x.narrow(0, first, count); };
    const auto weighted_hidden = [&](const torch::Tensor& of_rows) {
      const auto factor = slice(of_rows).unsqueeze(1) / options.temperature;
      return (slice(hidden) * factor).to(hidden.scalar_type());
    };
    auto z = scaled_logits(slice(hidden), weight.value, options.temperature);
    if (weights.divergence_weights.defined()) {
      auto reference = scaled_logits(slice(options.reference_hidden), weight.value, options.temperature);
      differentiate_divergence(z, reference);
      add_product(weight.gradient, reference, weighted_hidden(weights.divergence_weights));
    }
    differentiate_logits(
        z, slice(targets), true,
        {slice(scratch.log_probability), slice(scratch.best_log_probability), slice(scratch.is_likeliest)});
    add_product(weight.gradient, z, weighted_hidden(weights.loss_weights));
  }
}

torch::Tensor head_logits(const torch::Tensor& hidden, const torch::Tensor& weight) {
  return torch::mm(hidden, weight.t()).to(wide_type(hidden.scalar_type()));
}

LinearCrossEntropy linear_cross_entropy_reference(const torch::Tensor& hidden, const torch::Tensor& weight,
                                                  const torch::Tensor& targets,
                                                  const LinearCrossEntropyOptions& options) {
  check_shapes(hidden, weight, targets, options);
  const auto type = wide_type(hidden.scalar_type());
  const auto h = hidden.detach().requires_grad_();
  const auto logits = torch::matmul(h, weight.detach().t()).to(type) / options.temperature;
  const auto log_p = logits.log_softmax(1);
  const auto of_target = log_p.gather(1, targets.unsqueeze(1)).squeeze(1);
  LinearCrossEntropy rows;
  rows.log_probability = of_target.detach();
  rows.best_log_probability = log_p.detach().amax(1);
  rows.is_likeliest = logits.detach().argmax(1) == targets;
  if (options.entropy) rows.entropy = entropy_of(logits.detach(), options.entropy_tokens);
  const auto gradient_of = [&](const torch::Tensor& loss) {
    return torch::autograd::grad({loss.sum()}, {h}, {}, /*retain_graph=*/true)[0];
  };
  if (options.gradient) rows.hidden_gradient = gradient_of(-of_target);
  if (options.reference_hidden.defined()) {
    const auto log_q =
        (torch::matmul(options.reference_hidden.detach(), weight.detach().t()).to(type) / options.temperature)
            .log_softmax(1);
    const auto divergence = (log_q.exp() * (log_q - log_p)).sum(1);
    rows.divergence = divergence.detach();
    if (options.gradient) rows.divergence_gradient = gradient_of(divergence);
  }
  return rows;
}

}  // namespace cuset::ops
