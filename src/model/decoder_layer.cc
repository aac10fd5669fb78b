#include "model/decoder_layer.h"

#include <torch/autograd.h>

#include <cmath>

#include "base/error.h"
#include "ops/rms_norm.h"

namespace cuset::model {
namespace {

// [tokens, heads * dim] -> [tokens, heads, dim], each head normalized where the model does that, and rotated.
torch::Tensor rotated_heads(const torch::Tensor& projected, const ops::Parameter& norm,
                            const LayerContext& context) {
  auto heads = projected.view({projected.size(0), -1, context.config.head_dim});
  if (norm.is_defined()) heads = ops::rms_norm(heads, norm, context.config.norm_epsilon);
  return ops::rotate(heads, context.angles);
}

torch::Tensor attention_block(const torch::Tensor& x, const LayerWeights& weights,
                              const LayerContext& context) {
  const auto normed = ops::rms_norm(x, weights.input_norm, context.config.norm_epsilon);
  const auto qkv = ops::linears(normed, {&weights.q, &weights.k, &weights.v}, context.dropout);
  const auto q = rotated_heads(qkv[0], weights.q_norm, context);
  const auto k = rotated_heads(qkv[1], weights.k_norm, context);
  const auto v = qkv[2].view({x.size(0), context.config.kv_heads, context.config.head_dim});
  const double scale = 1 / std::sqrt(static_cast<double>(context.config.head_dim));
  const auto mixed =
      ops::attention(q, k, v, context.segments, {scale, weights.window});  // [tokens, heads, dim]
  return ops::linear(mixed.flatten(1), weights.o, context.dropout);
}

torch::Tensor mlp_block(const torch::Tensor& x, const LayerWeights& weights, const LayerContext& context) {
  const auto normed = ops::rms_norm(x, weights.post_attention_norm, context.config.norm_epsilon);
  if (!weights.experts.empty()) {
    return expert_block(normed, weights.router, weights.experts,
                        {context.config.experts_per_token, context.config.normalized_experts});
  }
  const auto gate_up = ops::linears(normed, {&weights.gate, &weights.up}, context.dropout);
  return ops::swiglu_linear(gate_up[0], gate_up[1], weights.down, context.dropout);
}

// Carries what the backward needs besides tensors through autograd, which keeps only values of its own kind.
struct LayerCapsule : torch::CustomClassHolder {
  LayerCapsule(const LayerWeights& its_weights, std::shared_ptr<const LayerContext> its_context)
      : weights(its_weights), context(std::move(its_context)) {}

  const LayerWeights& weights;
  std::shared_ptr<const LayerContext> context;
};

class RecomputedLayer : public torch::autograd::Function<RecomputedLayer> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* saved, const torch::Tensor& x,
                               const LayerWeights& weights,
                               const std::shared_ptr<const LayerContext>& context, const torch::Tensor* y) {
    saved->save_for_backward({x});
    saved->saved_data["layer"] =
        c10::IValue::make_capsule(c10::make_intrusive<LayerCapsule>(weights, context));
    if (y->defined()) return y->detach();        // a tensor of its own, for autograd to mark
    return layer_forward(x, weights, *context);  // Function has switched gradients off
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* saved,
                                                 torch::autograd::variable_list gradients) {
    const auto capsule =
        c10::static_intrusive_pointer_cast<LayerCapsule>(saved->saved_data["layer"].toCapsule());
    const torch::AutoGradMode with_gradients(true);
    auto x = saved->get_saved_variables()[0].detach().requires_grad_();
    const auto y = layer_forward(x, capsule->weights, *capsule->context);
    torch::autograd::backward({y}, {gradients[0]});
    return {x.grad(), torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor layer_forward(const torch::Tensor& x, const LayerWeights& weights,
                            const LayerContext& context) {
  const auto middle = x + attention_block(x, weights, context);
  return middle + mlp_block(middle, weights, context);
}

torch::Tensor layer_recomputed(const torch::Tensor& x, const LayerWeights& weights,
                               const std::shared_ptr<const LayerContext>& context, const torch::Tensor& y) {
  return RecomputedLayer::apply(x, weights, context, &y);  // by address: it is no input of the function
}

}  // namespace cuset::model
