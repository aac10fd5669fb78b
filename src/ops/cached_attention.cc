#include "ops/cached_attention.h"

#include <vector>

#include "base/error.h"
#include "ops/rms_norm.h"
#include "ops/wide_type.h"

namespace cuset {
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
                                         const KeyValueCache& cache, double scale) {
  check_shapes(q, places, cache);
  const int64_t kv_heads = cache.keys.size(1), dim = q.size(2), group = q.size(1) / kv_heads;
  const auto wide = wide_type(q.scalar_type());
  const auto slots = on_host(places.slots), positions = on_host(places.positions);
  auto y = torch::zeros_like(q);
  for (size_t t = 0; t < slots.size(); ++t) {
    if (positions[t] < 0) continue;
    const auto token = static_cast<int64_t>(t);
    const auto seen = [&](const torch::Tensor& x) {  // [kv_heads, position + 1, dim]
      return x.select(0, slots[t]).narrow(1, 0, positions[t] + 1).to(wide);
    };
    const auto queries = q[token].to(wide).view({kv_heads, group, dim});
    const auto scores = torch::matmul(queries, seen(cache.keys).transpose(1, 2)) * scale;
    y[token].copy_(torch::matmul(scores.softmax(-1), seen(cache.values)).view({q.size(1), dim}));
  }
  return y;
}

torch::Tensor store_keys_values(const torch::Tensor& qkv, const HeadTransform& transform,
                                const CachePlaces& places, const KeyValueCache& cache) {
  return store_keys_values_reference(qkv, transform, places, cache);
}

torch::Tensor cached_attention(const torch::Tensor& q, const CachePlaces& places, const KeyValueCache& cache,
                               double scale) {
  return cached_attention_reference(q, places, cache, scale);
}

}  // namespace cuset
