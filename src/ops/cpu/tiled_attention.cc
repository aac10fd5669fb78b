#include "ops/cpu/tiled_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/cpu/row_parts.h"
#include "ops/cpu/tile_loops.h"

namespace cuset::ops {
namespace {

constexpr int64_t kForwardKeys = 96;  // rows of a tile
// The same as its queries: the first queries that see a tile of keys are those at its own place.
constexpr int64_t kBackwardKeys = kTileQueries;

int64_t rounded_up(int64_t x, int64_t step) { return (x + step - 1) / step * step; }

// Where a sample lies: its tokens, and its rows in packed tensors, which are padded for whole blocks.
struct Sample {
  int64_t token;
  int64_t length;
  int64_t row;
};

// Neighboring queries of one sample and head; positions count from the sample's begin.
struct QueryTile {
  const Sample* sample;
  int64_t head;
  int64_t first;
  int64_t count;  // at most 48
  int64_t end() const { return first + count; }
};

// What all units of work share.
class Problem {
 public:
  explicit Problem(const TiledAttention& attention)
      : heads(attention.q.size(1)),
        dim(attention.q.size(2)),
        width(rounded_up(dim, kTileColumnStep)),
        group(heads / attention.k.size(1)),
        window(attention.window),
        scale(attention.scale),
        attention_(attention) {
    for (size_t i = 1; i < attention.borders.size(); ++i) {
      const int64_t first = attention.borders[i - 1], length = attention.borders[i] - first;
      samples.push_back({first, length, rows});
      rows += rounded_up(length, kTileRowStep);
    }
    keys = packed(attention.k);
    values = packed(attention.v);
  }

  // Rows of a packed tensor from a position of a sample on.
  float* rows_of(const torch::Tensor& packed, const QueryTile& tile, int64_t head, int64_t position) const {
    return packed.data_ptr<float>() + (head * rows + tile.sample->row + position) * width;
  }
  const float* keys_of(const QueryTile& tile, int64_t position) const {
    return rows_of(keys, tile, tile.head / group, position);
  }
  const float* values_of(const QueryTile& tile, int64_t position) const {
    return rows_of(values, tile, tile.head / group, position);
  }

  // A tensor of q's shape at the tile's first query.
  int64_t offset_of(const QueryTile& tile) const {
    return ((tile.sample->token + tile.first) * heads + tile.head) * dim;
  }

  // Sums packed rows of query heads over the groups: back to [tokens, kv_heads, dim].
  torch::Tensor unpacked(const torch::Tensor& packed) const {
    auto y = torch::empty_like(attention_.k);
    const auto grouped = packed.view({heads / group, group, rows, width}).narrow(3, 0, dim);
    for (const Sample& sample : samples) {
      const auto from = grouped.narrow(2, sample.row, sample.length);
      const auto to = y.narrow(0, sample.token, sample.length).transpose(0, 1);
      to.copy_(from.select(1, 0));
      for (int64_t i = 1; i < group; ++i) to.add_(from.select(1, i));
    }
    return y;
  }

  int64_t heads;
  int64_t dim;
  int64_t width;  // of a packed row
  int64_t group;  // query heads of a key head
  int64_t window;
  float scale;
  int64_t rows = 0;
  std::vector<Sample> samples;
  torch::Tensor keys;    // [kv_heads, rows, width], padded with zeros
  torch::Tensor values;  // the same

 private:
  torch::Tensor packed(const torch::Tensor& x) const {
    auto y = torch::zeros({x.size(1), rows, width}, x.options());
    for (const Sample& sample : samples) {
      y.narrow(1, sample.row, sample.length)
          .narrow(2, 0, dim)
          .copy_(x.narrow(0, sample.token, sample.length).transpose(0, 1));
    }
    return y;
  }

  const TiledAttention& attention_;
};

// A thread's own memory, which keeps its size from call to call, in pieces of whole cache lines.
class Scratch {
 public:
  explicit Scratch(int64_t size) {
    thread_local std::vector<float> memory;
    const auto wanted = static_cast<size_t>(size + kLine);
    if (memory.size() < wanted) memory.resize(wanted);
    const auto floats = static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory.data()) / sizeof(float));
    next_ = memory.data() + (rounded_up(floats, kLine) - floats);
  }
  float* take(int64_t size) {
    float* piece = next_;
    next_ += rounded_up(size, kLine);
    return piece;
  }

 private:
  static constexpr int64_t kLine = 16;
  float* next_;
};

// The rows of a tile's queries in a tensor of q's shape, times `factor`, as [48, width], padded with zeros.
void load_rows(const Problem& problem, const QueryTile& tile, const torch::Tensor& x, float factor,
               float* to) {
  const float* from = x.const_data_ptr<float>() + problem.offset_of(tile);
  std::fill(to, to + kTileQueries * problem.width, 0.0f);
  for (int64_t i = 0; i < tile.count; ++i) {
    for (int64_t d = 0; d < problem.dim; ++d)
      to[i * problem.width + d] = from[i * problem.heads * problem.dim + d] * factor;
  }
}

// x [rows, columns] as y [columns, rows], times `factor`.
void transpose(const float* x, int64_t rows, int64_t columns, float factor, float* y) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) y[j * rows + i] = x[i * columns + j] * factor;
  }
}

// Scores of keys that a query does not see become -inf: of those after it, and of those before its window.
// `first_key` counts from the tile's first query.
void hide(int64_t first_key, int64_t rows, int64_t window, float* scores) {
  const bool all_before = first_key + rows <= 1;
  const bool all_inside = window == 0 || first_key > kTileQueries - 1 - window;
  if (all_before && all_inside) return;
  for (int64_t row = 0; row < rows; ++row) {
    float* own = scores + row * kTileQueries;
    const int64_t key = first_key + row;
    const int64_t begin = std::clamp<int64_t>(key, 0, kTileQueries);
    std::fill(own, own + begin, -INFINITY);
    if (window == 0) continue;
    const int64_t end = std::clamp<int64_t>(key + window, 0, kTileQueries);
    std::fill(own + end, own + kTileQueries, -INFINITY);
  }
}

// The first key that the tile's queries see, a multiple of `step`.
int64_t first_key_of(const Problem& problem, const QueryTile& tile, int64_t step) {
  if (problem.window == 0) return 0;
  return std::max<int64_t>(0, tile.first - problem.window + 1) / step * step;
}

// y [keys, 48] = the rows of keys or values with the columns of queries [width, 48].
void multiply_rows(const Problem& problem, const float* x, int64_t rows, const float* columns, float* y) {
  tile_loops().product({.rows = rows,
                        .inner = problem.width,
                        .columns = kTileQueries,
                        .a = x,
                        .a_row = problem.width,
                        .a_column = 1,
                        .b = columns,
                        .b_row = kTileQueries,
                        .c = y,
                        .c_row = kTileQueries,
                        .add = false,
                        .factors = nullptr});
}

// y [width, 48] (= or +=) the rows of keys or values, each as often as its tile [rows, 48] says. What y holds is
// first multiplied by factors [48], unless they are null.
void add_weighted(const Problem& problem, const float* x, int64_t rows, const float* tile, bool add,
                  const float* factors, float* y) {
  tile_loops().product({.rows = problem.width,
                        .inner = rows,
                        .columns = kTileQueries,
                        .a = x,
                        .a_row = 1,
                        .a_column = problem.width,
                        .b = tile,
                        .b_row = kTileQueries,
                        .c = y,
                        .c_row = kTileQueries,
                        .add = add,
                        .factors = factors});
}

// y [rows, width] (= or +=) tile [rows, 48] times rows of `count` queries [48, width].
void add_to_rows(const Problem& problem, const float* tile, int64_t rows, const float* queries, int64_t count,
                 bool add, float* y) {
  tile_loops().product({.rows = rows,
                        .inner = count,
                        .columns = problem.width,
                        .a = tile,
                        .a_row = kTileQueries,
                        .a_column = 1,
                        .b = queries,
                        .b_row = problem.width,
                        .c = y,
                        .c_row = problem.width,
                        .add = add,
                        .factors = nullptr});
}

constexpr float kLog2OfE = std::numbers::log2e_v<float>;

// One tile of queries of the forward pass.
class ForwardTile {
 public:
  ForwardTile(const Problem& problem, const QueryTile& tile)
      : problem_(problem),
        tile_(tile),
        memory_(kTileQueries * (2 * problem.width + kForwardKeys + 3)),
        columns_(memory_.take(problem.width * kTileQueries)),
        y_(memory_.take(problem.width * kTileQueries)),
        scores_(memory_.take(kForwardKeys * kTileQueries)),
        largest_(memory_.take(kTileQueries)),
        sums_(memory_.take(kTileQueries)),
        factors_(memory_.take(kTileQueries)) {}

  void run(const torch::Tensor& q, TiledAttentionOutput& output) {
    load_rows(problem_, tile_, q, problem_.scale * kLog2OfE, y_);
    transpose(y_, kTileQueries, problem_.width, 1, columns_);
    // Not -inf: a difference of two of them is not a number.
    std::fill(largest_, largest_ + kTileQueries, std::numeric_limits<float>::lowest());
    std::fill(sums_, sums_ + kTileQueries, 0.0f);
    const int64_t end = rounded_up(tile_.end(), kTileRowStep);
    const int64_t first = first_key_of(problem_, tile_, kTileRowStep);
    for (int64_t key = first; key < end; key += kForwardKeys)
      attend(key, std::min(kForwardKeys, end - key), key > first);
    write(output);
  }

 private:
  void attend(int64_t key, int64_t rows, bool add) {
    multiply_rows(problem_, problem_.keys_of(tile_, key), rows, columns_, scores_);
    hide(key - tile_.first, rows, problem_.window, scores_);
    tile_loops().fold_scores({scores_, rows, largest_, sums_, factors_});
    add_weighted(problem_, problem_.values_of(tile_, key), rows, scores_, add, factors_, y_);
  }

  void write(TiledAttentionOutput& output) const {
    float* to = output.y.data_ptr<float>() + problem_.offset_of(tile_);
    float* log_sums = output.log_sums.data_ptr<float>() + tile_.head * output.log_sums.size(1) +
                      tile_.sample->token + tile_.first;
    for (int64_t i = 0; i < tile_.count; ++i) {
      const float factor = 1 / sums_[i];
      for (int64_t d = 0; d < problem_.dim; ++d)
        to[i * problem_.heads * problem_.dim + d] = y_[d * kTileQueries + i] * factor;
      log_sums[i] = largest_[i] + std::log2(sums_[i]);
    }
  }

  const Problem& problem_;
  const QueryTile& tile_;
  Scratch memory_;
  float* columns_;  // [width, 48]: queries, in units of log 2
  float* y_;        // [width, 48]
  float* scores_;   // [keys, 48]
  float *largest_, *sums_, *factors_;
};

// What the backward pass reads and writes besides the problem.
struct BackwardTensors {
  const TiledAttention& attention;
  const TiledAttentionOutput& output;
  const torch::Tensor& dy;
  torch::Tensor dq;
  torch::Tensor dk;  // [heads, rows, width]
  torch::Tensor dv;  // the same
};

// One tile of queries of the backward pass. It adds to the rows of dk and dv that earlier tiles of its head have
// written.
class BackwardTile {
 public:
  BackwardTile(const Problem& problem, const QueryTile& tile, const BackwardTensors& tensors)
      : problem_(problem),
        tile_(tile),
        tensors_(tensors),
        memory_(kTileQueries * (5 * problem.width + 2 * kBackwardKeys + 2)),
        q_(memory_.take(kTileQueries * problem.width)),
        dy_(memory_.take(kTileQueries * problem.width)),
        columns_(memory_.take(kTileQueries * problem.width)),
        dy_columns_(memory_.take(kTileQueries * problem.width)),
        dq_(memory_.take(kTileQueries * problem.width)),
        scores_(memory_.take(kBackwardKeys * kTileQueries)),
        gradients_(memory_.take(kBackwardKeys * kTileQueries)),
        log_sums_(memory_.take(kTileQueries)),
        means_(memory_.take(kTileQueries)) {}

  void run() {
    load();
    const int64_t end = rounded_up(tile_.end(), kTileRowStep);
    const int64_t first = first_key_of(problem_, tile_, kBackwardKeys);
    for (int64_t key = first; key < end; key += kBackwardKeys)
      attend(key, std::min(kBackwardKeys, end - key), key > first);
    write();
  }

 private:
  void load() {
    load_rows(problem_, tile_, tensors_.dy, 1, dy_);
    transpose(dy_, kTileQueries, problem_.width, 1, dy_columns_);
    load_rows(problem_, tile_, tensors_.output.y, 1, q_);
    tile_loops().row_products(q_, dy_, kTileQueries, problem_.width, means_);
    // The same factor as in the forward pass, so that scores have the same bits.
    load_rows(problem_, tile_, tensors_.attention.q, problem_.scale * kLog2OfE, q_);
    transpose(q_, kTileQueries, problem_.width, 1, columns_);
    load_rows(problem_, tile_, tensors_.attention.q, problem_.scale, q_);
    const auto& all = tensors_.output.log_sums;
    const float* from =
        all.const_data_ptr<float>() + tile_.head * all.size(1) + tile_.sample->token + tile_.first;
    std::fill(std::copy_n(from, tile_.count, log_sums_), log_sums_ + kTileQueries, 0.0f);
  }

  void attend(int64_t key, int64_t rows, bool add) {
    const float* keys = problem_.keys_of(tile_, key);
    multiply_rows(problem_, keys, rows, columns_, scores_);
    hide(key - tile_.first, rows, problem_.window, scores_);
    multiply_rows(problem_, problem_.values_of(tile_, key), rows, dy_columns_, gradients_);
    tile_loops().score_gradients({scores_, gradients_, rows, log_sums_, means_});
    add_weighted(problem_, keys, rows, gradients_, add, nullptr, dq_);
    const bool seen_before = key < tile_.first;
    const auto to = [&](const torch::Tensor& packed) {
      return problem_.rows_of(packed, tile_, tile_.head, key);
    };
    add_to_rows(problem_, scores_, rows, dy_, tile_.count, seen_before, to(tensors_.dv));
    add_to_rows(problem_, gradients_, rows, q_, tile_.count, seen_before, to(tensors_.dk));
  }

  void write() const {
    float* to = tensors_.dq.data_ptr<float>() + problem_.offset_of(tile_);
    for (int64_t i = 0; i < tile_.count; ++i) {
      for (int64_t d = 0; d < problem_.dim; ++d)
        to[i * problem_.heads * problem_.dim + d] = dq_[d * kTileQueries + i] * problem_.scale;
    }
  }

  const Problem& problem_;
  const QueryTile& tile_;
  const BackwardTensors& tensors_;
  Scratch memory_;
  float *q_, *dy_;                // [48, width]
  float *columns_, *dy_columns_;  // [width, 48]: queries in units of log 2, and dy
  float* dq_;                     // [width, 48]
  float *scores_, *gradients_;    // [keys, 48]
  float *log_sums_, *means_;
};

// The longest first, so that no thread begins one when the others are done.
std::vector<QueryTile> tiles_of(const Problem& problem) {
  std::vector<QueryTile> tiles;
  for (const Sample& sample : problem.samples) {
    for (int64_t head = 0; head < problem.heads; ++head) {
      for (int64_t first = 0; first < sample.length; first += kTileQueries)
        tiles.push_back({&sample, head, first, std::min(kTileQueries, sample.length - first)});
    }
  }
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const QueryTile& a, const QueryTile& b) { return a.first > b.first; });
  return tiles;
}

}  // namespace

TiledAttentionOutput tiled_attention(const TiledAttention& attention) {
  const Problem problem(attention);
  TiledAttentionOutput output{torch::empty_like(attention.q),
                              torch::empty({problem.heads, attention.q.size(0)}, attention.q.options())};
  const std::vector<QueryTile> tiles = tiles_of(problem);
  for_each_unit(static_cast<int64_t>(tiles.size()), [&](int64_t i) {
    ForwardTile(problem, tiles[static_cast<size_t>(i)]).run(attention.q, output);
  });
  return output;
}

TiledAttentionGradients tiled_attention_backward(const TiledAttention& attention,
                                                 const TiledAttentionOutput& output,
                                                 const torch::Tensor& dy) {
  const Problem problem(attention);
  const auto packed = [&] {
    return torch::empty({problem.heads, problem.rows, problem.width}, attention.q.options());
  };
  const BackwardTensors tensors{attention, output, dy, torch::empty_like(attention.q), packed(), packed()};
  std::vector<const Sample*> samples;
  for (const Sample& sample : problem.samples) samples.push_back(&sample);
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample* a, const Sample* b) { return a->length > b->length; });
  for_each_unit(problem.heads * static_cast<int64_t>(samples.size()), [&](int64_t i) {
    const Sample& sample = *samples[static_cast<size_t>(i / problem.heads)];
    for (int64_t first = 0; first < sample.length; first += kTileQueries) {
      const QueryTile tile{&sample, i % problem.heads, first, std::min(kTileQueries, sample.length - first)};
      BackwardTile(problem, tile, tensors).run();
    }
  });
  return {tensors.dq, problem.unpacked(tensors.dk), problem.unpacked(tensors.dv)};
}

}  // namespace cuset::ops
