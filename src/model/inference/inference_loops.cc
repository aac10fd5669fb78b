// Inference on the CPU with our own loops (inference_backend.h): activations in float32, weights in float32
// or bfloat16, keys and values in the weights' type.
//
// Every operation gives the same bits for a token whatever its neighbors are (ops/cpu/panel_loops.h), so tokens
// may be grouped freely. With enough rows every thread takes some of them through the whole model and meets
// the others only at the end; a few long rows are taken together and each product is split instead. Tokens go
// through the model in blocks, so that what lies between two products stays in the cache.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "model/inference/expert_loops.h"
#include "model/inference/inference_backend.h"
#include "ops/cpu/panel_attention.h"
#include "ops/cpu/panel_matrix.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/row_parts.h"
#include "ops/rotary.h"

namespace cuset::model {
namespace {

constexpr int64_t kBlockTokens = 64;
constexpr double kMostUneven = 1.25;  // share of one thread to an equal share

// A vector of weights in float32, padded with zeros to whole panels; empty if it is undefined.
torch::Tensor padded_vector(const torch::Tensor& vector) {
  if (!vector.defined()) return {};
  auto padded = torch::zeros({ops::panel_padded(vector.numel())}, torch::kFloat32);
  padded.narrow(0, 0, vector.numel()).copy_(vector);
  return padded;
}

// Calls work(row) for every row, split over the threads where a thread gets a fair number.
template <typename Work>
void for_rows(int64_t count, const Work& work) {
  constexpr int64_t kFewestRows = 16;
  ops::for_row_parts(count, ops::row_parts(count, kFewestRows), [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) work(row);
  });
}

const float* data_of(const torch::Tensor& vector) {
  return vector.defined() ? vector.const_data_ptr<float>() : nullptr;
}

struct LoopLinear {
  ops::PanelMatrix matrix;
  torch::Tensor bias;  // padded, or undefined
};

struct LoopLayer {
  torch::Tensor input_norm, q_norm, k_norm, post_attention_norm;
  LoopLinear qkv, output, gate_up, down;  // the last two of a dense layer
  ExpertLoops experts;                    // of a sparse one
};

struct LoopLowRank {
  int64_t first;
  ops::PanelMatrix a, b;
};

using LoopLowRanks = std::vector<LoopLowRank>;

struct LoopAdapterLayer {
  LoopLowRanks qkv, output, gate_up, down;
};

struct LoopAdapter {
  float scale = 0;
  std::vector<LoopAdapterLayer> layers;
};

LoopLinear take_linear(InferenceLinear& linear) {
  if (!linear.weight.defined()) return {};
  LoopLinear made{ops::PanelMatrix(linear.weight), padded_vector(linear.bias)};
  linear = {};
  return made;
}

LoopLayer take_layer(const ModelConfig& config, InferenceLayer& layer) {
  return {.input_norm = padded_vector(layer.input_norm),
          .q_norm = padded_vector(layer.q_norm),
          .k_norm = padded_vector(layer.k_norm),
          .post_attention_norm = padded_vector(layer.post_attention_norm),
          .qkv = take_linear(layer.qkv),
          .output = take_linear(layer.output),
          .gate_up = take_linear(layer.gate_up),
          .down = take_linear(layer.down),
          .experts = ExpertLoops(config, layer)};
}

LoopLowRanks low_ranks_of(const std::vector<LowRankPart>& parts) {
  LoopLowRanks made;
  for (const LowRankPart& part : parts)
    made.push_back({part.first, ops::PanelMatrix(part.a), ops::PanelMatrix(part.b)});
  return made;
}

// Rows of activations. A panel of room behind every row takes what a low-rank part writes past its columns.
class Rows {
 public:
  Rows(int64_t count, int64_t width)
      : stride_(ops::panel_padded(width) + ops::kPanel),
        memory_(torch::zeros({count, stride_}, torch::kFloat32)) {}

  float* operator[](int64_t row) const { return memory_.data_ptr<float>() + row * stride_; }
  int64_t stride() const { return stride_; }
  torch::Tensor columns(int64_t width) const { return memory_.narrow(1, 0, width); }

 private:
  int64_t stride_;
  torch::Tensor memory_;
};

// Neighboring tokens of one sequence, in a block.
struct TokenRun {
  const SequenceStep* row;
  int64_t offset;  // of the first, in the row's tokens
  int64_t first;   // row of the block
  int64_t count;

  int64_t position() const { return row->start + offset; }
  bool ends_row() const { return offset + count == static_cast<int64_t>(row->tokens.size()); }
};

// Activations of a block, used again from block to block.
struct Workspace {
  Workspace(const ModelConfig& config, int64_t tokens, int64_t rank)
      : x(tokens, config.hidden),
        normed(tokens, config.hidden),
        qkv(tokens, (config.heads + 2 * config.kv_heads) * config.head_dim),
        q(tokens, config.heads * config.head_dim),
        mixed(tokens, config.heads * config.head_dim),
        gate_up(tokens, 2 * config.intermediate),
        activated(tokens, config.intermediate),
        narrow(tokens, rank) {}

  Rows x, normed, qkv, q, mixed, gate_up, activated, narrow;
};

class LoopInference : public InferenceBackend {
 public:
  LoopInference(const ModelConfig& config, InferenceWeights weights, const InferenceLimits& limits);

  void set_adapter(size_t number, const Adapter& adapter) override;
  torch::Tensor extend(std::span<const SequenceStep> rows) override;

 private:
  using Runs = std::vector<TokenRun>;
  using LowRanks = LoopLowRanks LoopAdapterLayer::*;

  // A product over a block's tokens, with what their adapters add.
  struct Product {
    const LoopLinear& linear;
    LowRanks low_ranks;
    size_t layer;
    const Rows& x;
    const Rows& y;
    bool add = false;
  };

  void run_rows(std::span<const SequenceStep* const> rows, std::span<float* const> logits);
  void run_block(const Runs& runs, Workspace& work);
  Rows logits_of(const Rows& x, int64_t count) const;
  void give_logits(const TokenRun& run, const Workspace& work) const;
  void give_states(size_t layer, const Runs& runs, const Workspace& work) const;
  void embed(const Runs& runs, Workspace& work) const;
  void normalize(const Rows& x, const torch::Tensor& weight, int64_t count, const Rows& y) const;
  void multiply(const Product& product, const Runs& runs, Workspace& work) const;
  void add_low_ranks(const Product& product, const TokenRun& tokens, Workspace& work) const;
  void store(size_t layer, const Runs& runs, Workspace& work);
  void store_token(size_t layer, int64_t slot, int64_t position, float* qkv, float* q);
  void attend(size_t layer, const Runs& runs, Workspace& work) const;

  ModelConfig config_;
  InferenceLimits limits_;
  ops::PanelMatrix embedding_;
  ops::PanelMatrix head_;  // empty where it is the embedding
  std::vector<LoopLayer> layers_;
  torch::Tensor final_norm_;
  ops::RotaryAngles angles_;  // of every position
  std::vector<ops::PanelCache> caches_;
  std::vector<LoopAdapter> adapters_;
  int64_t most_rank_ = 1;
};

LoopInference::LoopInference(const ModelConfig& config, InferenceWeights weights,
                             const InferenceLimits& limits)
    : config_(config), limits_(limits), final_norm_(padded_vector(weights.final_norm)) {
  const ops::PanelCacheShape shape{limits.slots, config.kv_heads, limits.positions, config.head_dim};
  const auto type = weights.embedding.scalar_type() == torch::kBFloat16 ? torch::kBFloat16 : torch::kFloat32;
  for (InferenceLayer& layer : weights.layers) {
    layers_.push_back(take_layer(config, layer));
    caches_.emplace_back(shape, type);
  }
  if (!config.tied_embeddings) head_ = ops::PanelMatrix(std::exchange(weights.head, {}));
  embedding_ = ops::PanelMatrix(weights.embedding);
  angles_ = ops::rotary_angles(rotary_frequencies(config), torch::arange(limits.positions, torch::kInt64),
                               config.rope_scaling.attention_factor);
}

void LoopInference::set_adapter(size_t number, const Adapter& adapter) {
  const InferenceAdapter joined = join_adapter(config_, adapter, torch::kFloat32);
  LoopAdapter made{static_cast<float>(joined.scale), {}};
  for (const InferenceAdapterLayer& layer : joined.layers) {
    made.layers.push_back({low_ranks_of(layer.qkv), low_ranks_of(layer.output), low_ranks_of(layer.gate_up),
                           low_ranks_of(layer.down)});
  }
  if (number == adapters_.size()) adapters_.emplace_back();
  adapters_.at(number) = std::move(made);
  most_rank_ = std::max(most_rank_, adapter.settings.rank);
}

void LoopInference::embed(const Runs& runs, Workspace& work) const {
  for (const TokenRun& run : runs) {
    for (int64_t i = 0; i < run.count; ++i)
      embedding_.copy_row(run.row->tokens[static_cast<size_t>(run.offset + i)], work.x[run.first + i]);
  }
}

void LoopInference::normalize(const Rows& x, const torch::Tensor& weight, int64_t count,
                              const Rows& y) const {
  const auto epsilon = static_cast<float>(config_.norm_epsilon);
  for_rows(count, [&](int64_t row) {
    ops::panel_loops().norm(x[row], data_of(weight), config_.hidden, epsilon, y[row]);
  });
}

void LoopInference::multiply(const Product& product, const Runs& runs, Workspace& work) const {
  const int64_t tokens = runs.back().first + runs.back().count;
  product.linear.matrix.multiply(
      {product.x[0], product.x.stride(), tokens},
      {product.y[0], product.y.stride(), data_of(product.linear.bias), product.add});
  // Rows are in the order of their adapters, so neighboring runs join.
  for (size_t i = 0; i < runs.size();) {
    TokenRun joined = runs[i];
    for (++i; i < runs.size() && runs[i].row->adapter == joined.row->adapter; ++i)
      joined.count += runs[i].count;
    if (joined.row->adapter >= 0) add_low_ranks(product, joined, work);
  }
}

void LoopInference::add_low_ranks(const Product& product, const TokenRun& tokens, Workspace& work) const {
  const LoopAdapter& adapter = adapters_[static_cast<size_t>(tokens.row->adapter)];
  for (const LoopLowRank& part : adapter.layers[product.layer].*product.low_ranks) {
    part.a.multiply({product.x[tokens.first], product.x.stride(), tokens.count},
                    {work.narrow[0], work.narrow.stride()});
    for (int64_t row = 0; row < tokens.count; ++row) {
      for (int64_t i = 0; i < part.a.out(); ++i) work.narrow[row][i] *= adapter.scale;
    }
    part.b.multiply(
        {work.narrow[0], work.narrow.stride(), tokens.count},
        {product.y[tokens.first] + part.first, product.y.stride(), /*bias=*/nullptr, /*add=*/true});
  }
}

// Normalizes heads where the model does that, turns queries and keys, and keeps keys and values.
void LoopInference::store_token(size_t layer, int64_t slot, int64_t position, float* qkv, float* q) {
  const int64_t dim = config_.head_dim, heads = config_.heads, kv_heads = config_.kv_heads;
  const auto normalize_heads = [&](const torch::Tensor& weight, int64_t count, float* first) {
    if (!weight.defined()) return;
    std::vector<float> head(static_cast<size_t>(ops::panel_padded(dim)));
    for (float* at = first; at < first + count * dim; at += dim) {
      std::copy_n(at, dim, head.begin());
      ops::panel_loops().norm(head.data(), data_of(weight), dim, static_cast<float>(config_.norm_epsilon),
                              head.data());
      std::copy_n(head.begin(), dim, at);
    }
  };
  float* keys = qkv + heads * dim;
  normalize_heads(layers_[layer].q_norm, heads, qkv);
  normalize_heads(layers_[layer].k_norm, kv_heads, keys);
  const int64_t half = dim / 2;
  const ops::RotaryRow angles{angles_.cosine.const_data_ptr<float>() + position * half,
                              angles_.sine.const_data_ptr<float>() + position * half, 1.0f};
  ops::rotary_row(angles, heads, half, qkv, q);
  std::vector<float> turned(static_cast<size_t>(kv_heads * dim));
  ops::rotary_row(angles, kv_heads, half, keys, turned.data());
  caches_[layer].store(slot, position, turned.data(), keys + kv_heads * dim);
}

void LoopInference::store(size_t layer, const Runs& runs, Workspace& work) {
  for (const TokenRun& run : runs) {
    for_rows(run.count, [&](int64_t i) {
      store_token(layer, run.row->slot, run.position() + i, work.qkv[run.first + i], work.q[run.first + i]);
    });
  }
}

void LoopInference::attend(size_t layer, const Runs& runs, Workspace& work) const {
  const int64_t kv_heads = config_.kv_heads, items = static_cast<int64_t>(runs.size()) * kv_heads;
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(config_.head_dim)));
  const int64_t window = config_.window_of(static_cast<int64_t>(layer));
  int64_t seen = 0;  // by all tokens together
  for (const TokenRun& run : runs) {
    const int64_t length = run.position() + run.count;
    seen += run.count * (window > 0 ? std::min(length, window) : length);
  }
  const int64_t parts = seen * config_.heads * config_.head_dim < (1 << 20) ? 1 : ops::row_parts(items, 1);
  ops::for_row_parts(items, parts, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const TokenRun& run = runs[static_cast<size_t>(item / kv_heads)];
      caches_[layer].attend({.slot = run.row->slot,
                             .position = run.position(),
                             .tokens = run.count,
                             .group = config_.heads / kv_heads,
                             .window = window,
                             .q = work.q[run.first],
                             .q_row = work.q.stride(),
                             .y = work.mixed[run.first],
                             .y_row = work.mixed.stride()},
                            item % kv_heads, scale);
    }
  });
}

void LoopInference::run_block(const Runs& runs, Workspace& work) {
  const int64_t tokens = runs.back().first + runs.back().count;
  embed(runs, work);
  for (size_t layer = 0; layer < layers_.size(); ++layer) {
    const LoopLayer& weights = layers_[layer];
    give_states(layer, runs, work);
    normalize(work.x, weights.input_norm, tokens, work.normed);
    multiply({weights.qkv, &LoopAdapterLayer::qkv, layer, work.normed, work.qkv}, runs, work);
    store(layer, runs, work);
    attend(layer, runs, work);
    multiply({weights.output, &LoopAdapterLayer::output, layer, work.mixed, work.x, true}, runs, work);
    normalize(work.x, weights.post_attention_norm, tokens, work.normed);
    if (weights.experts.is_defined()) {
      weights.experts.add_to({work.normed[0], work.normed.stride(), tokens}, work.x[0], work.x.stride());
      continue;
    }
    multiply({weights.gate_up, &LoopAdapterLayer::gate_up, layer, work.normed, work.gate_up}, runs, work);
    const int64_t width = config_.intermediate;
    for_rows(tokens, [&](int64_t row) {
      ops::swiglu_row(work.gate_up[row], work.gate_up[row] + width, width, work.activated[row]);
    });
    multiply({weights.down, &LoopAdapterLayer::down, layer, work.activated, work.x, true}, runs, work);
  }
  give_states(layers_.size(), runs, work);
}

void LoopInference::give_states(size_t layer, const Runs& runs, const Workspace& work) const {
  const torch::Tensor states = work.x.columns(config_.hidden);
  for (const TokenRun& run : runs) {
    if (run.row->on_states == nullptr) continue;
    (*run.row->on_states)(static_cast<int64_t>(layer), run.offset, states.narrow(0, run.first, run.count));
  }
}

// Of rows of hidden states, which the last norm changes.
Rows LoopInference::logits_of(const Rows& x, int64_t count) const {
  normalize(x, final_norm_, count, x);
  const ops::PanelMatrix& head = config_.tied_embeddings ? embedding_ : head_;
  Rows logits(count, config_.vocab);
  head.multiply({x[0], x.stride(), count}, {logits[0], logits.stride()});
  return logits;
}

void LoopInference::give_logits(const TokenRun& run, const Workspace& work) const {
  const Rows x(run.count, config_.hidden);
  for (int64_t i = 0; i < run.count; ++i) std::copy_n(work.x[run.first + i], config_.hidden, x[i]);
  (*run.row->on_logits)(run.offset, logits_of(x, run.count).columns(config_.vocab));
}

// Takes rows, in the order of their adapters, through the whole model; logits[i] [panel_padded(vocab)] is row
// i's.
void LoopInference::run_rows(std::span<const SequenceStep* const> rows, std::span<float* const> logits) {
  const auto count = static_cast<int64_t>(rows.size());
  int64_t tokens = 0;
  for (const SequenceStep* row : rows) tokens += static_cast<int64_t>(row->tokens.size());
  Workspace work(config_, std::min(tokens, kBlockTokens), most_rank_);
  const Rows last(count, config_.hidden);
  Runs runs;
  const auto run = [&] {
    run_block(runs, work);
    for (const TokenRun& part : runs) {
      if (part.row->on_logits != nullptr) give_logits(part, work);
      const auto row = std::find(rows.begin(), rows.end(), part.row) - rows.begin();
      if (part.ends_row()) std::copy_n(work.x[part.first + part.count - 1], config_.hidden, last[row]);
    }
    runs.clear();
  };
  int64_t filled = 0;
  for (const SequenceStep* row : rows) {
    const auto length = static_cast<int64_t>(row->tokens.size());
    for (int64_t offset = 0; offset < length;) {
      const int64_t taken = std::min(length - offset, kBlockTokens - filled);
      runs.push_back({row, offset, filled, taken});
      offset += taken;
      filled = (filled + taken) % kBlockTokens;
      if (filled == 0) run();
    }
  }
  if (!runs.empty()) run();
  const Rows all = logits_of(last, count);
  for (int64_t row = 0; row < count; ++row)
    std::copy_n(all[row], config_.vocab, logits[static_cast<size_t>(row)]);
}

// Where to cut the rows so that every thread has about as many tokens; one part if that is not possible.
std::vector<size_t> even_parts(std::span<const SequenceStep* const> rows) {
  const int64_t parts = ops::row_parts(static_cast<int64_t>(rows.size()), 2);
  const auto tokens_of = [](const SequenceStep* row) { return static_cast<double>(row->tokens.size()); };
  double total = 0;
  for (const SequenceStep* row : rows) total += tokens_of(row);
  std::vector<size_t> borders = {0};
  double before = 0, begun = 0, most = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double share = total * static_cast<double>(borders.size()) / static_cast<double>(parts);
    if (i > borders.back() && before + tokens_of(rows[i]) / 2 > share) {
      most = std::max(most, before - begun);
      begun = before;
      borders.push_back(i);
    }
    before += tokens_of(rows[i]);
  }
  borders.push_back(rows.size());
  most = std::max(most, before - begun);
  if (most > kMostUneven * total / static_cast<double>(parts)) return {0, rows.size()};
  return borders;
}

torch::Tensor LoopInference::extend(std::span<const SequenceStep> rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rows[a].adapter < rows[b].adapter; });
  auto logits = torch::empty({static_cast<int64_t>(rows.size()), config_.vocab}, torch::kFloat32);
  std::vector<const SequenceStep*> sorted;
  std::vector<float*> targets;
  for (const size_t index : order) {
    sorted.push_back(&rows[index]);
    targets.push_back(logits.data_ptr<float>() + static_cast<int64_t>(index) * config_.vocab);
  }
  const std::vector<size_t> borders = even_parts(sorted);
  const auto parts = static_cast<int64_t>(borders.size()) - 1;
  const auto run_part = [&](int64_t part) {
    const size_t begin = borders[static_cast<size_t>(part)], end = borders[static_cast<size_t>(part) + 1];
    run_rows(std::span(sorted).subspan(begin, end - begin), std::span(targets).subspan(begin, end - begin));
  };
  // One part is not a part of its own thread: then products are split.
  if (parts == 1) {
    run_part(0);
  } else {
    ops::for_row_parts(parts, parts, [&](int64_t part, int64_t, int64_t) {
      const torch::NoGradGuard no_gradient;
      run_part(part);
    });
  }
  return logits;
}

}  // namespace

std::unique_ptr<InferenceBackend> make_loop_inference(const ModelConfig& config, InferenceWeights weights,
                                                      const InferenceLimits& limits) {
  return std::make_unique<LoopInference>(config, std::move(weights), limits);
}

}  // namespace cuset::model
