#include "ops/attention.h"

#include <ATen/Context.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_scaled_dot_product_cudnn_attention.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <torch/autograd.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/cpu/row_parts.h"
#include "ops/cpu/tiled_attention.h"
#include "ops/device/determinism.h"

namespace cuset::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// cuDNN has no backward for one token, and gains nothing over FlashAttention for few.
constexpr int64_t kFewestCudnnTokens = 64;

void check_shapes(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                  const Segments& segments) {
  CUSET_CHECK(q.dim() == 3 && k.dim() == 3 && v.sizes() == k.sizes() && q.size(0) == k.size(0) &&
                  q.size(2) == k.size(2) && k.size(1) > 0 && q.size(1) % k.size(1) == 0,
              "q {}, k {}, v {}", c10::str(q.sizes()), c10::str(k.sizes()), c10::str(v.sizes()));
  CUSET_CHECK(segments.tokens() == q.size(0), "segments end at {}, there are {} tokens", segments.tokens(),
              q.size(0));
}

// [tokens, kv_heads, dim] -> [tokens, heads, dim], each head repeated for its group.
torch::Tensor for_every_head(const torch::Tensor& x, int64_t heads) {
  if (x.size(1) == heads) return x;
  const int64_t group = heads / x.size(1);
  return x.unsqueeze(2)
      .expand({x.size(0), x.size(1), group, x.size(2)})
      .reshape({x.size(0), heads, x.size(2)});
}

// [tokens, heads, dim] <-> [1, heads, tokens, dim], views.
torch::Tensor heads_first(const torch::Tensor& x) { return x.transpose(0, 1).unsqueeze(0); }
torch::Tensor tokens_first(const torch::Tensor& x) { return x.squeeze(0).transpose(0, 1); }

std::vector<int64_t> lengths_of(const Segments& segments) {
  std::vector<int64_t> lengths;
  for (size_t i = 1; i < segments.borders.size(); ++i)
    lengths.push_back(segments.borders[i] - segments.borders[i - 1]);
  return lengths;
}

// [queries, keys]: which of the positions first_key .. end each of the positions first .. end sees.
torch::Tensor window_mask(int64_t first, int64_t first_key, int64_t end, int64_t window,
                          torch::Device device) {
  const auto options = torch::TensorOptions(torch::kInt64).device(device);
  const auto back = torch::arange(first, end, options).unsqueeze(1) - torch::arange(first_key, end, options);
  return back.ge(0).logical_and_(back.lt(window));
}

constexpr int64_t kFewestBlockQueries = 128;

// One sample that is longer than the window, [1, heads, tokens, dim] all. Queries are taken in blocks, each with
// the keys that it sees, so that masks and work grow with the length and not with its square.
torch::Tensor attend_in_window(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                               const AttentionScores& scores) {
  const int64_t tokens = q.size(2), block = std::max(kFewestBlockQueries, scores.window);
  std::vector<torch::Tensor> outputs;
  for (int64_t first = 0; first < tokens; first += block) {
    const int64_t end = std::min(first + block, tokens);
    const int64_t first_key = std::max<int64_t>(0, first - scores.window + 1);
    const auto seen = [&](const torch::Tensor& x) { return x.narrow(2, first_key, end - first_key); };
    const auto mask = window_mask(first, first_key, end, scores.window, q.device());
    outputs.push_back(at::scaled_dot_product_attention(q.narrow(2, first, end - first), seen(k), seen(v),
                                                       mask, 0.0, /*is_causal=*/false, scores.scale));
  }
  return outputs.size() == 1 ? outputs[0] : torch::cat(outputs, 2);
}

torch::Tensor attend_to_sample(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                               const AttentionScores& scores) {
  if (scores.window > 0 && q.size(2) > scores.window) return attend_in_window(q, k, v, scores);
  return at::scaled_dot_product_attention(q, k, v, {}, 0.0, /*is_causal=*/true, scores.scale);
}

// One sample after another through ATen's own choice of kernel.
torch::Tensor attend_by_sample(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                               const Segments& segments, const AttentionScores& scores) {
  const auto lengths = lengths_of(segments);
  const auto queries = q.split_with_sizes(lengths);
  const auto keys = for_every_head(k, q.size(1)).split_with_sizes(lengths);
  const auto values = for_every_head(v, q.size(1)).split_with_sizes(lengths);
  std::vector<torch::Tensor> outputs;
  for (size_t i = 0; i < lengths.size(); ++i) {
    outputs.push_back(tokens_first(
        attend_to_sample(heads_first(queries[i]), heads_first(keys[i]), heads_first(values[i]), scores)));
  }
  return outputs.size() == 1 ? outputs[0].contiguous() : torch::cat(outputs);
}

torch::Tensor attend_with_cudnn(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                double scale) {
  const auto result =
      at::_scaled_dot_product_cudnn_attention(heads_first(q), heads_first(k), heads_first(v), {},
                                              /*compute_log_sumexp=*/true, /*dropout_p=*/0.0,
                                              /*is_causal=*/true, /*return_debug_mask=*/false, scale);
  return tokens_first(std::get<0>(result));
}

// LibTorch's switch, which its FlashAttention asks, for the length of one call.
class DeterministicScope {
 public:
  explicit DeterministicScope(bool deterministic)
      : before_(at::globalContext().deterministicAlgorithms()),
        warned_before_(at::globalContext().deterministicAlgorithmsWarnOnly()) {
    at::globalContext().setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
  }
  ~DeterministicScope() { at::globalContext().setDeterministicAlgorithms(before_, warned_before_); }
  DeterministicScope(const DeterministicScope&) = delete;
  DeterministicScope& operator=(const DeterministicScope&) = delete;

 private:
  bool before_;
  bool warned_before_;
};

class FlashAttention : public torch::autograd::Function<FlashAttention> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& q, const torch::Tensor& k,
                               const torch::Tensor& v, const Segments& segments,
                               const AttentionScores& scores) {
    const auto& borders = segments.device_borders;
    const FlashWindow window = flash_window(scores, segments.longest);
    const auto [out, log_sum, state, unused, mask] =
        at::_flash_attention_forward(q, k, v, borders, borders, segments.longest, segments.longest,
                                     /*dropout_p=*/0.0, window.is_causal, /*return_debug_mask=*/false,
                                     scores.scale, window.left, window.right);
    context->save_for_backward({q, k, v, out, log_sum, borders, state, unused});
    context->saved_data["longest"] = segments.longest;
    context->saved_data["scale"] = scores.scale;
    context->saved_data["window"] = scores.window;
    context->saved_data["deterministic"] = deterministic_operations();
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const int64_t longest = context->saved_data["longest"].toInt();
    const AttentionScores scores(context->saved_data["scale"].toDouble(),
                                 context->saved_data["window"].toInt());
    const FlashWindow window = flash_window(scores, longest);
    const DeterministicScope scope(context->saved_data["deterministic"].toBool());
    const auto [dq, dk, dv] = at::_flash_attention_backward(
        gradients[0].contiguous(), saved[0], saved[1], saved[2], saved[3], saved[4], saved[5], saved[5],
        longest, longest, /*dropout_p=*/0.0, window.is_causal, saved[6], saved[7], scores.scale, window.left,
        window.right);
    return {dq, dk, dv, {}, {}};
  }
};

class AttentionOnCpu : public torch::autograd::Function<AttentionOnCpu> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& q, const torch::Tensor& k,
                               const torch::Tensor& v, const Segments& segments,
                               const AttentionScores& scores) {
    const TiledAttention attention{
        q.contiguous(), k.contiguous(), v.contiguous(), segments.borders, static_cast<float>(scores.scale),
        scores.window};
    const TiledAttentionOutput output = tiled_attention(attention);
    context->save_for_backward({attention.q, attention.k, attention.v, output.y, output.log_sums});
    context->saved_data["borders"] = segments.borders;
    context->saved_data["scale"] = scores.scale;
    context->saved_data["window"] = scores.window;
    return output.y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const TiledAttention attention{saved[0],
                                   saved[1],
                                   saved[2],
                                   context->saved_data["borders"].toIntVector(),
                                   static_cast<float>(context->saved_data["scale"].toDouble()),
                                   context->saved_data["window"].toInt()};
    const auto [dq, dk, dv] =
        tiled_attention_backward(attention, {saved[3], saved[4]}, gradients[0].contiguous());
    return {dq, dk, dv, {}, {}};
  }
};

bool has_half_type(const torch::Tensor& x) {
  return x.scalar_type() == torch::kBFloat16 || x.scalar_type() == torch::kFloat16;
}

}  // namespace

Segments make_segments(const std::vector<int64_t>& lengths, torch::Device device) {
  Segments segments;
  for (const int64_t length : lengths) {
    CUSET_CHECK(length > 0, "a sample of {} tokens", length);
    segments.borders.push_back(segments.borders.back() + length);
    segments.longest = std::max(segments.longest, length);
  }
  segments.device_borders = torch::tensor(segments.borders, torch::kInt64).to(torch::kInt32).to(device);
  return segments;
}

FlashWindow flash_window(const AttentionScores& scores, int64_t longest) {
  if (scores.window == 0 || scores.window >= longest) return {};
  return {.is_causal = false, .left = scores.window - 1, .right = 0};
}

torch::Tensor attention(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                        const Segments& segments, const AttentionScores& scores) {
  check_shapes(q, k, v, segments);
  CUSET_CHECK(scores.window >= 0, "a window of {} tokens", scores.window);
  if (q.is_cuda() && !has_half_type(q) && deterministic_operations()) {
    return attention_reference(q, k, v, segments, scores);
  }
  if (has_cpu_loops(q) && has_cpu_loops(k) && has_cpu_loops(v))
    return AttentionOnCpu::apply(q, k, v, segments, scores);
  if (!q.is_cuda() || !has_half_type(q) || q.size(2) % 8 != 0 || q.size(2) > 256) {
    return attend_by_sample(q, k, v, segments, scores);
  }
  if (!deterministic_operations() && segments.samples() == 1 && q.size(0) >= kFewestCudnnTokens &&
      q.size(2) <= 128 && flash_window(scores, segments.longest).is_causal)
    return attend_with_cudnn(q, k, v, scores.scale);
  return FlashAttention::apply(q, k, v, segments, scores);
}

torch::Tensor attention_reference(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                  const Segments& segments, const AttentionScores& rule) {
  check_shapes(q, k, v, segments);
  const auto lengths = lengths_of(segments);
  std::vector<torch::Tensor> outputs;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const auto part = [&](const torch::Tensor& x) {
      return for_every_head(x.narrow(0, segments.borders[i], lengths[i]), q.size(1)).transpose(0, 1);
    };
    auto scores = torch::matmul(part(q), part(k).transpose(1, 2)) * rule.scale;  // [heads, length, length]
    const auto all = torch::ones({lengths[i], lengths[i]}, q.options().dtype(torch::kBool));
    auto hidden = all.triu(1);
    if (rule.window > 0) hidden = hidden.logical_or(all.tril(-rule.window));
    scores = scores.masked_fill(hidden, -INFINITY);
    outputs.push_back(torch::matmul(scores.softmax(-1), part(v)).transpose(0, 1));
  }
  return torch::cat(outputs);
}

}  // namespace cuset::ops
