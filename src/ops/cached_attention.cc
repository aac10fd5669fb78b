#include "ops/cached_attention.h"

#include <ATen/ops/_flash_attention_forward.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "ops/gpu/cached_attention_gpu.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/rms_norm.h"
#include "ops/wide_type.h"

namespace cuset::ops {
namespace {

std::vector<int64_t> on_host(const torch::Tensor& values) {
  const auto host = values.to(torch::kCPU, torch::kInt64).contiguous();
  return {host.const_data_ptr<int64_t>(), host.const_data_ptr<int64_t>() + host.numel()};
}

void check_shapes(const torch::Tensor& q, const CachePlaces& places, const KeyValueCache& cache) {
  CUSET_CHECK(q.dim() == 3 && cache.keys.dim() == 4 && cache.values.sizes() == cache.keys.sizes() &&
                  q.size(2) == cache.keys.size(3) && cache.keys.size(1) > 0 &&
                  q.size(1) % cache.keys.size(1) == 0,
              "q {}, keys {}, values {}", c10::str(q.sizes()), c10::str(cache.keys.sizes()),
              c10::str(cache.values.sizes()));
  CUSET_CHECK(places.slots.numel() == q.size(0) && places.positions.numel() == q.size(0),
              "{} slots and {} positions for {} tokens", places.slots.numel(), places.positions.numel(),
              q.size(0));
}

#if CUSET_HAS_CUDA

CachedTokensGpu tokens_of(const torch::Tensor& q, const CachePlaces& places, const KeyValueCache& cache) {
  CUSET_CHECK(q.is_contiguous() && cache.keys.is_contiguous() && cache.values.is_contiguous() &&
                  cache.keys.scalar_type() == q.scalar_type(),
              "q is {}, the cache {}", toString(q.scalar_type()), toString(cache.keys.scalar_type()));
  return {.type = gpu_type_of(q, "cached attention"),
          .tokens = q.size(0),
          .heads = q.size(1),
          .kv_heads = cache.keys.size(1),
          .dim = q.size(2),
          .capacity = cache.keys.size(2),
          .window = 0,
          .slots = places.slots.const_data_ptr<int64_t>(),
          .positions = places.positions.const_data_ptr<int64_t>(),
          .keys = cache.keys.data_ptr(),
          .values = cache.values.data_ptr()};
}

#endif

torch::Tensor transformed(const torch::Tensor& heads, const torch::Tensor& norm,
                          const HeadTransform& transform, const RotaryAngles& angles) {
  return rotate_reference(norm.defined() ? rms_norm_reference(heads, norm, transform.epsilon) : heads,
                          angles);
}

}  // namespace

torch::Tensor store_keys_values_reference(const torch::Tensor& qkv, const HeadTransform& transform,
                                          const CachePlaces& places, const KeyValueCache& cache) {
  const int64_t kv_heads = cache.keys.size(1), dim = cache.keys.size(3);
  const auto all = qkv.view({qkv.size(0), -1, dim});
  const int64_t heads = all.size(1) - 2 * kv_heads;
  const auto turned = places.positions.clamp_min(0);
  const RotaryAngles angles{transform.angles.cosine.index_select(0, turned),
                            transform.angles.sine.index_select(0, turned)};
  const auto q = transformed(all.narrow(1, 0, heads), transform.q_norm, transform, angles);
  const auto k = transformed(all.narrow(1, heads, kv_heads), transform.k_norm, transform, angles);
  const auto v = all.narrow(1, heads + kv_heads, kv_heads);
  const auto slots = on_host(places.slots), positions = on_host(places.positions);
  for (size_t t = 0; t < slots.size(); ++t) {
    if (positions[t] < 0) continue;
    const auto token = static_cast<int64_t>(t);
    cache.keys.select(0, slots[t]).select(1, positions[t]).copy_(k[token]);
    cache.values.select(0, slots[t]).select(1, positions[t]).copy_(v[token]);
  }
  return q;
}

torch::Tensor cached_attention_reference(const torch::Tensor& q, const CachePlaces& places,
                                         const KeyValueCache& cache, const AttentionScores& rule) {
  check_shapes(q, places, cache);
  const int64_t kv_heads = cache.keys.size(1), dim = q.size(2), group = q.size(1) / kv_heads;
  const auto wide = wide_type(q.scalar_type());
  const auto slots = on_host(places.slots), positions = on_host(places.positions);
  auto y = torch::zeros_like(q);
  for (size_t t = 0; t < slots.size(); ++t) {
    if (positions[t] < 0) continue;
    const auto token = static_cast<int64_t>(t);
    const int64_t count = rule.window > 0 ? std::min(positions[t] + 1, rule.window) : positions[t] + 1;
    const auto seen = [&](const torch::Tensor& x) {  // [kv_heads, count, dim]
      return x.select(0, slots[t]).narrow(1, positions[t] + 1 - count, count).to(wide);
    };
    const auto queries = q[token].to(wide).view({kv_heads, group, dim});
    const auto scores = torch::matmul(queries, seen(cache.keys).transpose(1, 2)) * rule.scale;
    y[token].copy_(torch::matmul(scores.softmax(-1), seen(cache.values)).view({q.size(1), dim}));
  }
  return y;
}

torch::Tensor store_keys_values(const torch::Tensor& qkv, const HeadTransform& transform,
                                const CachePlaces& places, const KeyValueCache& cache) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(qkv)) {
    const int64_t dim = cache.keys.size(3), heads = qkv.size(1) / dim - 2 * cache.keys.size(1);
    auto q = torch::empty({qkv.size(0), heads, dim}, qkv.options());
    const HeadTransformGpu on_gpu{
        .q_norm = transform.q_norm.defined() ? transform.q_norm.const_data_ptr() : nullptr,
        .k_norm = transform.k_norm.defined() ? transform.k_norm.const_data_ptr() : nullptr,
        .epsilon = static_cast<float>(transform.epsilon),
        .cosine = transform.angles.cosine.const_data_ptr<float>(),
        .sine = transform.angles.sine.const_data_ptr<float>()};
    store_keys_values_gpu(tokens_of(q, places, cache), on_gpu, qkv.contiguous().const_data_ptr(),
                          q.data_ptr(), current_gpu_stream(q));
    return q;
  }
#endif
  return store_keys_values_reference(qkv, transform, places, cache);
}

torch::Tensor cached_attention(const torch::Tensor& q, const CachePlaces& places, const KeyValueCache& cache,
                               const AttentionScores& scores) {
  check_shapes(q, places, cache);
  CUSET_CHECK(scores.window >= 0, "a window of {} tokens", scores.window);
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(q) && q.size(2) <= kCachedAttentionGpuDim) {
    auto y = torch::empty_like(q);
    const auto parts =
        torch::empty({q.size(0), q.size(1), cached_attention_parts(places.longest), q.size(2) + 2},
                     q.options().dtype(torch::kFloat32));
    CachedTokensGpu tokens = tokens_of(q, places, cache);
    tokens.window = scores.window;
    cached_attention_gpu(tokens, places.longest, static_cast<float>(scores.scale), q.const_data_ptr(),
                         y.data_ptr(), parts.data_ptr<float>(), current_gpu_stream(q));
    return y;
  }
#endif
  return cached_attention_reference(q, places, cache, scores);
}

CacheRun make_cache_run(int64_t slot, int64_t position, int64_t tokens, torch::Device device) {
  const auto host = torch::tensor({int64_t{0}, tokens, int64_t{0}, position + tokens}).to(torch::kInt32);
  const auto borders = (device.is_cuda() ? host.pin_memory() : host).to(device, /*non_blocking=*/true);
  return {slot, position, tokens, borders.narrow(0, 0, 2), borders.narrow(0, 2, 2)};
}

torch::Tensor cached_run_attention(const torch::Tensor& q, const CachePlaces& places, const CacheRun& run,
                                   const KeyValueCache& cache, const AttentionScores& scores) {
  const bool has_flash =
      q.is_cuda() && q.scalar_type() == torch::kBFloat16 && q.size(2) % 8 == 0 && q.size(2) <= 256;
  if (!has_flash) return cached_attention(q, places, cache, scores);
  const int64_t seen = run.position + run.tokens;
  const auto of_run = [&](const torch::Tensor& x) {  // [seen, kv_heads, dim]
    return x.select(0, run.slot).narrow(1, 0, seen).transpose(0, 1);
  };
  // With fewer queries than keys its causal mask and its window end at both last ones.
  const FlashWindow window = flash_window(scores, seen);
  const auto attended = at::_flash_attention_forward(
      q.narrow(0, 0, run.tokens), of_run(cache.keys), of_run(cache.values), run.query_borders,
      run.key_borders, run.tokens, seen, /*dropout_p=*/0.0, window.is_causal, /*return_debug_mask=*/false,
      scores.scale, window.left, window.right);
  if (run.tokens == q.size(0)) return std::get<0>(attended);
  auto y = torch::zeros_like(q);
  y.narrow(0, 0, run.tokens).copy_(std::get<0>(attended));
  return y;
}

}  // namespace cuset::ops
