#include "ops/linear.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>
#include <torch/autograd.h>

#include "base/error.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/lora_gpu.h"
#include "ops/lora_cpu.h"
#include "ops/swiglu.h"

namespace cuset::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void check_shapes(const torch::Tensor& x, const LinearWeights& layer) {
  CUSET_CHECK(x.dim() == 2 && x.size(1) == layer.weight.value.size(1), "x {}, weight {}", c10::str(x.sizes()),
              c10::str(layer.weight.value.sizes()));
  CUSET_CHECK(!layer.has_adapter() || (layer.lora_a.value.size(1) == x.size(1) &&
                                       layer.lora_b.value.size(0) == layer.weight.value.size(0)),
              "weight {}, A {}, B {}", c10::str(layer.weight.value.sizes()),
              c10::str(layer.lora_a.value.sizes()), c10::str(layer.lora_b.value.sizes()));
}

bool has_lora_kernel(const torch::Tensor& x, const LinearWeights& layer) {
#if CUSET_HAS_CUDA
  return has_gpu_kernel(x) && layer.lora_a.value.size(0) <= kLoraGpuRank;
#else
  static_cast<void>(x);
  static_cast<void>(layer);
  return false;
#endif
}

#if CUSET_HAS_CUDA

torch::Tensor down_on_gpu(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  const auto& a = layer.lora_a.value;
  auto xa = torch::empty({x.size(0), a.size(0)}, x.options());
  lora_down_gpu(gpu_type_of(x, "lora"), x.size(0), x.size(1), a.size(0), x.const_data_ptr(),
                a.const_data_ptr(), xa.data_ptr(), dropout_rows(dropout, layer.module),
                current_gpu_stream(x));
  return xa;
}

void add_a_gradient_on_gpu(const torch::Tensor& u, const torch::Tensor& x, const LinearWeights& layer,
                           const Dropout& dropout) {
  const int64_t rank = u.size(1);
  const auto parts = torch::empty({lora_a_gradient_parts(x.size(0), x.size(1), rank), rank, x.size(1)},
                                  x.options().dtype(torch::kFloat32));
  lora_a_gradient_gpu(gpu_type_of(x, "lora"), x.size(0), x.size(1), rank, u.const_data_ptr(),
                      x.const_data_ptr(), parts.data_ptr<float>(), dropout_rows(dropout, layer.module),
                      current_gpu_stream(x));
  auto gradient = layer.lora_a.gradient;
  gradient.add_(parts.sum(0));
}

void add_input_gradient_on_gpu(torch::Tensor& dx, bool accumulate, const torch::Tensor& u,
                               const LinearWeights& layer, const Dropout& dropout) {
  lora_up_masked_add_gpu(gpu_type_of(dx, "lora"), dx.size(0), dx.size(1), u.size(1), u.const_data_ptr(),
                         layer.lora_a.value.const_data_ptr(), dx.data_ptr(), accumulate,
                         dropout_rows(dropout, layer.module), current_gpu_stream(dx));
}

#else

torch::Tensor down_on_gpu(const torch::Tensor&, const LinearWeights&, const Dropout&) { return {}; }
void add_a_gradient_on_gpu(const torch::Tensor&, const torch::Tensor&, const LinearWeights&, const Dropout&) {
}
void add_input_gradient_on_gpu(torch::Tensor&, bool, const torch::Tensor&, const LinearWeights&,
                               const Dropout&) {}

#endif

// drop(x) A^T, [tokens, rank].
torch::Tensor project_down(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  if (x.size(0) > 0 && has_lora_kernel(x, layer)) return down_on_gpu(x, layer, dropout);
  return at::mm(drop(x, dropout, layer.module), layer.lora_a.value.t());
}

struct LinearOutput {
  torch::Tensor y;   // [tokens, out]
  torch::Tensor xa;  // [tokens, rank], or undefined
};

// The adapter's part comes first, so that the large product adds to it while it writes.
LinearOutput apply_layer(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  LinearOutput output;
  const auto w = layer.weight.value.t();
  const auto& bias = layer.bias.value;
  if (!layer.has_adapter()) {
    output.y = bias.defined() ? at::addmm(bias, x, w) : at::mm(x, w);
    return output;
  }
  if (has_lora_cpu_loops(x, layer)) {
    const LoraOutput part = lora_forward_cpu(x, layer, dropout);
    output = {part.y, part.xa};
    output.y.addmm_(x, w);
    return output;
  }
  output.xa = project_down(x, layer, dropout);
  const auto b = layer.lora_b.value.t();
  const double scale = layer.lora_scale;
  output.y = bias.defined() ? at::addmm(bias, output.xa, b, 1, scale)
                            : at::mm(scale == 1 ? output.xa : output.xa * scale, b);
  output.y.addmm_(x, w);
  return output;
}

// Adds the adapter's part of dx and its own gradients. `dx` is undefined at first.
void differentiate_adapter(const torch::Tensor& dy, const torch::Tensor& x, const torch::Tensor& xa,
                           const LinearWeights& layer, const Dropout& dropout, torch::Tensor& dx) {
  if (has_lora_cpu_loops(x, layer)) {
    lora_backward_cpu({dy, x, xa}, layer, dropout, dx);
    return;
  }
  const auto u = at::mm(dy, layer.lora_b.value) * layer.lora_scale;  // [tokens, rank]
  if (layer.lora_b.is_trained()) add_product(layer.lora_b.gradient, dy, xa, layer.lora_scale);
  if (has_lora_kernel(x, layer)) {
    if (layer.lora_a.is_trained()) add_a_gradient_on_gpu(u, x, layer, dropout);
    const bool accumulate = dx.defined();
    if (!accumulate) dx = torch::empty_like(x);
    add_input_gradient_on_gpu(dx, accumulate, u, layer, dropout);
    return;
  }
  if (layer.lora_a.is_trained()) {
    add_product(layer.lora_a.gradient, u, drop(x, dropout, layer.module), 1);
  }
  auto part = at::mm(u, layer.lora_a.value);
  drop_(part, dropout, layer.module);
  dx = dx.defined() ? dx.add_(part) : part;
}

void differentiate_layer(const torch::Tensor& dy, const torch::Tensor& x, const torch::Tensor& xa,
                         const LinearWeights& layer, const Dropout& dropout, torch::Tensor& dx) {
  if (xa.defined() && dy.size(0) > 0) differentiate_adapter(dy, x, xa, layer, dropout, dx);
  const auto& w = layer.weight.value;
  dx = dx.defined() ? dx.addmm_(dy, w) : at::mm(dy, w);
  if (layer.weight.is_trained()) add_product(layer.weight.gradient, dy, x, 1);
  if (layer.bias.is_trained()) {
    auto gradient = layer.bias.gradient;
    gradient.add_(dy.sum(0, /*keepdim=*/false, gradient.scalar_type()));
  }
}

void save_dropout(AutogradContext& context, const Dropout& dropout) {
  context.saved_data["probability"] = dropout.probability;
  context.saved_data["seed"] = static_cast<int64_t>(dropout.seed);
  if (dropout.is_on()) context.saved_data["keys"] = dropout.row_keys;
}

Dropout saved_dropout(AutogradContext& context) {
  Dropout dropout;
  dropout.probability = context.saved_data["probability"].toDouble();
  dropout.seed = static_cast<uint64_t>(context.saved_data["seed"].toInt());
  if (dropout.is_on()) dropout.row_keys = context.saved_data["keys"].toTensor();
  return dropout;
}

// Weights are saved by their address: they belong to the model, which outlives the backward.
int64_t address_of(const LinearWeights* layer) { return reinterpret_cast<int64_t>(layer); }
const LinearWeights& layer_at(int64_t address) {
  return *reinterpret_cast<const LinearWeights*>(address);  // NOLINT(performance-no-int-to-ptr)
}

class Linears : public torch::autograd::Function<Linears> {
 public:
  static variable_list forward(AutogradContext* context, const torch::Tensor& input,
                               const std::vector<const LinearWeights*>& layers, const Dropout& dropout) {
    const auto x = input.contiguous();
    variable_list outputs;
    variable_list saved = {x};
    std::vector<int64_t> addresses;
    for (const LinearWeights* layer : layers) {
      const LinearOutput output = apply_layer(x, *layer, dropout);
      outputs.push_back(output.y);
      saved.push_back(output.xa);
      addresses.push_back(address_of(layer));
    }
    context->save_for_backward(saved);
    context->saved_data["layers"] = addresses;
    save_dropout(*context, dropout);
    return outputs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto addresses = context->saved_data["layers"].toIntVector();
    const Dropout dropout = saved_dropout(*context);
    torch::Tensor dx;
    for (size_t i = 0; i < addresses.size(); ++i) {
      if (!gradients[i].defined()) continue;
      differentiate_layer(gradients[i].contiguous(), saved[0], saved[i + 1], layer_at(addresses[i]), dropout,
                          dx);
    }
    return {dx, {}, {}};
  }
};

class SwigluLinear : public torch::autograd::Function<SwigluLinear> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& gate, const torch::Tensor& up,
                               const LinearWeights& layer, const Dropout& dropout) {
    const LinearOutput output = apply_layer(swiglu(gate, up), layer, dropout);
    context->save_for_backward({gate, up, output.xa});
    context->saved_data["layer"] = address_of(&layer);
    save_dropout(*context, dropout);
    return output.y;
  }

  // Writes the gradients over gate and up themselves, which nobody else keeps.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const LinearWeights& layer = layer_at(context->saved_data["layer"].toInt());
    auto gate = saved[0].detach();
    auto up = saved[1].detach();
    torch::Tensor dh;
    differentiate_layer(gradients[0].contiguous(), swiglu(gate, up), saved[2], layer, saved_dropout(*context),
                        dh);
    swiglu_backward_(gate, up, dh);
    return {gate, up, {}, {}};
  }
};

}  // namespace

void add_product(const torch::Tensor& gradient, const torch::Tensor& a, const torch::Tensor& b,
                 double scale) {
  if (a.scalar_type() == gradient.scalar_type()) {
    gradient.addmm_(a.t(), b, 1, scale);
  } else if (a.is_cuda()) {
    gradient.add_(at::mm(a.t(), b, gradient.scalar_type()), scale);
  } else {
    gradient.add_(at::mm(a.t(), b), scale);
  }
}

std::vector<torch::Tensor> linears(const torch::Tensor& x, const std::vector<const LinearWeights*>& layers,
                                   const Dropout& dropout) {
  for (const LinearWeights* layer : layers) check_shapes(x, *layer);
  return Linears::apply(x, layers, dropout);
}

torch::Tensor linear(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  return linears(x, {&layer}, dropout)[0];
}

torch::Tensor swiglu_linear(const torch::Tensor& gate, const torch::Tensor& up, const LinearWeights& layer,
                            const Dropout& dropout) {
  check_shapes(gate, layer);
  return SwigluLinear::apply(gate, up, layer, dropout);
}

torch::Tensor linear_reference(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout) {
  auto y = torch::matmul(x, layer.weight.value.t());
  if (layer.bias.is_defined()) y = y + layer.bias.value;
  if (!layer.has_adapter()) return y;
  auto d = x;
  if (dropout.is_on()) {
    d = x * dropout_factors_reference(dropout, layer.module, x.size(1)).to(x.device(), x.scalar_type());
  }
  return y +
         torch::matmul(torch::matmul(d, layer.lora_a.value.t()), layer.lora_b.value.t()) * layer.lora_scale;
}

}  // namespace cuset::ops
