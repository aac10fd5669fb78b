#include "ops/lora_cpu.h"

#include <algorithm>
#include <vector>

#include "ops/cpu/row_parts.h"
#include "ops/cpu/vector_loops.h"

namespace cuset::ops {
namespace {

constexpr int64_t kLargestRank = 64;     // above it the products are worth a library's while
constexpr int64_t kBlock = 16;           // rows done together
constexpr int64_t kFewestLoraRows = 64;  // worth a thread

// The adapter's matrices and sizes as loops want them.
struct Adapter {
  Adapter(const LinearWeights& layer, const Dropout& its_dropout)
      : a(layer.lora_a.value.contiguous()),
        b_transposed(layer.lora_b.value.t().contiguous()),
        dropout(its_dropout),
        module(layer.module),
        scale(static_cast<float>(layer.lora_scale)) {}

  int64_t rank() const { return a.size(0); }
  int64_t in() const { return a.size(1); }
  int64_t out() const { return b_transposed.size(1); }
  SmallMatrix a_rows() const { return {a.const_data_ptr<float>(), in()}; }                 // [rank, in]
  SmallMatrix b_columns() const { return {b_transposed.const_data_ptr<float>(), out()}; }  // [rank, out]

  torch::Tensor a;             // [rank, in]
  torch::Tensor b_transposed;  // [rank, out]
  const Dropout& dropout;
  uint32_t module;
  float scale;
};

// drop(x) of a block of rows, and the factors it was made with.
class DroppedBlock {
 public:
  explicit DroppedBlock(const Adapter& adapter) : adapter_(adapter) {
    if (!adapter.dropout.is_on()) return;
    factors_.resize(static_cast<size_t>(kBlock * adapter.in()));
    dropped_.resize(factors_.size());
  }

  // Rows first .. first + count of x, of which `rows` is the first. Returns drop(rows), [count, in].
  const float* drop(const float* rows, int64_t first, int64_t count) {
    if (factors_.empty()) return rows;
    const int64_t width = adapter_.in();
    for (int64_t i = 0; i < count; ++i) {
      draw_dropout_factors(dropout_row(adapter_.dropout, adapter_.module, first + i), width,
                           factors_.data() + i * width);
    }
    multiply(rows, factors_.data(), count * width, dropped_.data());
    return dropped_.data();
  }

  // dx += drop(u A) with the factors of the rows dropped last, whose place is used up. u is [count, rank], dx
  // [count, in].
  void add_gradient(const float* u, int64_t count, float* dx) {
    const int64_t width = adapter_.in();
    const ProductSize size{count, adapter_.rank(), width};
    const SmallMatrix u_rows{u, adapter_.rank()};
    if (factors_.empty()) {
      add_product(size, u_rows, adapter_.a_rows(), dx, width);
      return;
    }
    std::fill_n(dropped_.begin(), count * width, 0.0f);
    add_product(size, u_rows, adapter_.a_rows(), dropped_.data(), width);
    add_multiplied(dropped_.data(), factors_.data(), count * width, dx);
  }

 private:
  const Adapter& adapter_;
  std::vector<float> factors_;
  std::vector<float> dropped_;
};

// y = bias, or 0.
void start_rows(const float* bias, int64_t rows, int64_t width, float* y) {
  for (int64_t row = 0; row < rows; ++row) {
    if (bias != nullptr)
      std::copy_n(bias, width, y + row * width);
    else
      std::fill_n(y + row * width, width, 0.0f);
  }
}

// Gradients of A and of B's transpose, summed up by each thread for itself.
struct GradientParts {
  torch::Tensor a;  // [parts, rank, in], or undefined: frozen
  torch::Tensor b;  // [parts, rank, out], or undefined: frozen
};

GradientParts make_parts(int64_t parts, const Adapter& adapter, const LinearWeights& layer) {
  const auto zeros = [&](int64_t width) {
    return torch::zeros({parts, adapter.rank(), width}, adapter.a.options());
  };
  GradientParts made;
  if (layer.lora_a.is_trained()) made.a = zeros(adapter.in());
  if (layer.lora_b.is_trained()) made.b = zeros(adapter.out());
  return made;
}

void add_parts(const GradientParts& parts, const LinearWeights& layer) {
  auto a_gradient = layer.lora_a.gradient;
  auto b_gradient = layer.lora_b.gradient;
  if (parts.a.defined()) a_gradient.add_(parts.a.sum(0));
  if (parts.b.defined()) b_gradient.add_(parts.b.sum(0).t(), layer.lora_scale);
}

}  // namespace

bool has_lora_cpu_loops(const torch::Tensor& x, const LinearWeights& layer) {
  return has_cpu_loops(x) && x.size(1) > 0 && layer.lora_a.value.size(0) > 0 &&
         layer.lora_a.value.size(0) <= kLargestRank;
}

LoraOutput lora_forward_cpu(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  const Adapter adapter(layer, dropout);
  const int64_t tokens = x.size(0), in = adapter.in(), rank = adapter.rank(), out = adapter.out();
  LoraOutput output{torch::empty({tokens, rank}, x.options()), torch::empty({tokens, out}, x.options())};
  const auto bias = layer.bias.is_defined() ? layer.bias.value.contiguous() : torch::Tensor();
  const float* bias_values = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  const float* x_rows = x.const_data_ptr<float>();
  float* xa_rows = output.xa.data_ptr<float>();
  float* y_rows = output.y.data_ptr<float>();
  for_row_parts(tokens, row_parts(tokens, kFewestLoraRows), [&](int64_t, int64_t begin, int64_t end) {
    DroppedBlock block(adapter);
    std::vector<float> scaled(static_cast<size_t>(kBlock * rank), adapter.scale);
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t rows = std::min(kBlock, end - first);
      const float* d = block.drop(x_rows + first * in, first, rows);
      float* xa = xa_rows + first * rank;
      float* y = y_rows + first * out;
      dot_products({rows, in, rank}, {d, in}, adapter.a_rows(), 1, xa);
      std::transform(xa, xa + rows * rank, scaled.begin(),
                     [&](float value) { return adapter.scale * value; });
      start_rows(bias_values, rows, out, y);
      add_product({rows, rank, out}, {scaled.data(), rank}, adapter.b_columns(), y, out);
    }
  });
  return output;
}

void lora_backward_cpu(const LoraBackward& saved, const LinearWeights& layer, const Dropout& dropout,
                       torch::Tensor& dx) {
  const Adapter adapter(layer, dropout);
  const int64_t tokens = saved.x.size(0), in = adapter.in(), rank = adapter.rank(), out = adapter.out();
  if (!dx.defined()) dx = torch::zeros_like(saved.x);
  const int64_t parts = row_parts(tokens, kFewestLoraRows);
  const GradientParts sums = make_parts(parts, adapter, layer);
  float* a_sums = sums.a.defined() ? sums.a.data_ptr<float>() : nullptr;
  float* b_sums = sums.b.defined() ? sums.b.data_ptr<float>() : nullptr;
  const float* dy_rows = saved.dy.const_data_ptr<float>();
  const float* x_rows = saved.x.const_data_ptr<float>();
  const float* xa_rows = saved.xa.const_data_ptr<float>();
  float* dx_rows = dx.data_ptr<float>();
  for_row_parts(tokens, parts, [&](int64_t part, int64_t begin, int64_t end) {
    DroppedBlock block(adapter);
    std::vector<float> u(static_cast<size_t>(kBlock * rank));  // scale * dy B
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t rows = std::min(kBlock, end - first);
      const SmallMatrix dy{dy_rows + first * out, out};
      dot_products({rows, out, rank}, dy, adapter.b_columns(), adapter.scale, u.data());
      if (b_sums != nullptr)
        add_product({rank, rows, out}, {xa_rows + first * rank, 1, rank}, dy, b_sums + part * rank * out,
                    out);
      const float* d = block.drop(x_rows + first * in, first, rows);
      if (a_sums != nullptr)
        add_product({rank, rows, in}, {u.data(), 1, rank}, {d, in}, a_sums + part * rank * in, in);
      block.add_gradient(u.data(), rows, dx_rows + first * in);
    }
  });
  add_parts(sums, layer);
}

}  // namespace cuset::ops
