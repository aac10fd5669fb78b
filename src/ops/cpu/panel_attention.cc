#include "ops/cpu/panel_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "ops/cpu/panel_loops.h"

namespace cuset::ops {
namespace {

constexpr int64_t kQueries = 16;  // rows of one product

template <typename T>
void scatter(const float* from, int64_t dim, int64_t position, T* keys) {
  T* to = keys + position / kPanel * dim * kPanel + position % kPanel;
  for (int64_t d = 0; d < dim; ++d) to[d * kPanel] = static_cast<T>(from[d]);
}

template <typename T>
void append(const float* from, int64_t dim, int64_t position, int64_t capacity, T* values) {
  for (int64_t d = 0; d < dim; ++d) {
    values[(d / kPanel * capacity + position) * kPanel + d % kPanel] = static_cast<T>(from[d]);
  }
}

// Begins to read memory that is wanted soon: what lies in pieces by head is not a long stream that the machine
// would foresee.
void prefetch(const char* from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + at, 0, 2);
}

// The first position that a token sees.
int64_t first_seen(int64_t position, int64_t window) {
  return window > 0 ? std::max<int64_t>(0, position - window + 1) : 0;
}

// Positions before those are left out by whole panels, so that the order of a token's sums depends on its own
// position alone.
int64_t first_of_panel(int64_t position) { return position / kPanel * kPanel; }

// A thread's own memory, which keeps its size from call to call.
float* scratch(int64_t size) {
  thread_local std::vector<float> memory;
  if (memory.size() < static_cast<size_t>(size)) memory.resize(static_cast<size_t>(size));
  return memory.data();
}

}  // namespace

PanelCache::PanelCache(const PanelCacheShape& shape, torch::ScalarType type)
    : shape_(shape), capacity_(panel_padded(shape.positions)) {
  // Not cleared: the system gives zero pages when they are first touched, and no more are than tokens come.
  keys_ = torch::empty({shape.slots, shape.kv_heads, capacity_ / kPanel, shape.dim, kPanel}, type);
  values_ = torch::empty({shape.slots, shape.kv_heads, panels_of(shape.dim), capacity_, kPanel}, type);
}

char* PanelCache::keys_of(int64_t slot, int64_t kv_head) const {
  const int64_t entries = capacity_ * shape_.dim * static_cast<int64_t>(keys_.element_size());
  return static_cast<char*>(keys_.data_ptr()) + (slot * shape_.kv_heads + kv_head) * entries;
}

char* PanelCache::values_of(int64_t slot, int64_t kv_head) const {
  const int64_t entries = capacity_ * panel_padded(shape_.dim) * static_cast<int64_t>(values_.element_size());
  return static_cast<char*>(values_.data_ptr()) + (slot * shape_.kv_heads + kv_head) * entries;
}

void PanelCache::store(int64_t slot, int64_t position, const float* keys, const float* values) {
  CUSET_CHECK(slot >= 0 && slot < shape_.slots && position >= 0 && position < shape_.positions,
              "slot {}, position {}", slot, position);
  const bool is_half = keys_.scalar_type() == torch::kBFloat16;
  for (int64_t head = 0; head < shape_.kv_heads; ++head) {
    const float *k = keys + head * shape_.dim, *v = values + head * shape_.dim;
    void *to_keys = keys_of(slot, head), *to_values = values_of(slot, head);
    if (is_half) {
      scatter(k, shape_.dim, position, static_cast<c10::BFloat16*>(to_keys));
      append(v, shape_.dim, position, capacity_, static_cast<c10::BFloat16*>(to_values));
    } else {
      scatter(k, shape_.dim, position, static_cast<float*>(to_keys));
      append(v, shape_.dim, position, capacity_, static_cast<float*>(to_values));
    }
  }
}

void PanelCache::attend(const PanelQueries& queries, int64_t kv_head, float scale) const {
  const int64_t at_once = std::max<int64_t>(1, kQueries / queries.group);
  for (int64_t first = 0; first < queries.tokens; first += at_once) {
    PanelQueries block = queries;
    block.position += first;
    block.tokens = std::min(at_once, queries.tokens - first);
    block.q += first * queries.q_row;
    block.y += first * queries.y_row;
    attend_block(block, kv_head, scale);
  }
}

void PanelCache::attend_block(const PanelQueries& queries, int64_t kv_head, float scale) const {
  const int64_t dim = shape_.dim, group = queries.group, rows = queries.tokens * group;
  const int64_t begin = first_of_panel(first_seen(queries.position, queries.window));
  const int64_t seen =
      queries.position + queries.tokens - begin;  // positions from there on, by the last token
  const int64_t row = panel_padded(seen), y_row = panel_padded(dim);
  float* q = scratch(rows * (dim + row + y_row + 1));  // [rows, dim]
  float* scores = q + rows * dim;                      // [rows, row]
  float* y = scores + rows * row;                      // [rows, y_row]
  float* factors = y + rows * y_row;                   // [rows]
  const auto heads = [&](auto* all, int64_t stride, int64_t token) {
    return all + token * stride + kv_head * group * dim;
  };
  for (int64_t t = 0; t < queries.tokens; ++t)
    std::copy_n(heads(queries.q, queries.q_row, t), group * dim, q + t * group * dim);

  const auto element = static_cast<int64_t>(keys_.element_size());
  for (int64_t panel = 0; panel < panels_of(dim); ++panel) {
    prefetch(values_of(queries.slot, kv_head) + (panel * capacity_ + begin) * kPanel * element,
             seen * kPanel * element);
  }
  const PanelLoops& loops = panel_loops();
  PanelProduct product{};
  product.is_bfloat16 = keys_.scalar_type() == torch::kBFloat16;
  product.rows = rows;
  product.panels = keys_of(queries.slot, kv_head) + begin * dim * element;
  product.inner = product.x_row = dim;
  product.panel_stride = dim * kPanel;
  product.count = panels_of(seen);
  product.x = q;
  product.y = scores;
  product.y_row = row;
  loops.product(product);
  if (kv_head + 1 < shape_.kv_heads) {
    prefetch(keys_of(queries.slot, kv_head + 1) + begin * dim * element, row * dim * element);
  }

  for (int64_t r = 0; r < rows; ++r) {
    const int64_t position = queries.position + r / group, oldest = first_seen(position, queries.window);
    const int64_t first = first_of_panel(oldest) - begin, count = position + 1 - begin - first;
    float* own = scores + r * row;
    std::fill(own, own + first, 0.0f);
    std::fill(own + first, own + oldest - begin, -INFINITY);
    factors[r] = loops.exponentials(own + first, count, scale);
    std::fill(own + first + panel_padded(count), own + row, 0.0f);
  }

  product.panels = values_of(queries.slot, kv_head) + begin * kPanel * element;
  product.inner = seen;
  product.x = scores;
  product.x_row = row;
  product.panel_stride = capacity_ * kPanel;
  product.count = panels_of(dim);
  product.y = y;
  product.y_row = y_row;
  loops.weighted_sums(product);
  for (int64_t r = 0; r < rows; ++r) {
    float* to = heads(queries.y, queries.y_row, r / group) + r % group * dim;
    for (int64_t d = 0; d < dim; ++d) to[d] = y[r * y_row + d] * factors[r];
  }
}

}  // namespace cuset::ops
