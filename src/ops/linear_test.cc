#include "ops/linear.h"

#include <torch/autograd.h>

#include "ops/swiglu.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

struct LayerShape {
  int64_t in;
  int64_t out;
  int64_t rank;  // 0: no adapter
  bool bias;
  uint32_t module;
};

torch::Tensor draw(std::vector<int64_t> shape, const support::Place& place) {
  return (torch::randn(shape, torch::kFloat64) / std::sqrt(static_cast<double>(shape.back())))
      .to(place.device, place.type);
}

LinearWeights make_layer(const LayerShape& shape, const support::Place& place) {
  LinearWeights layer;
  layer.weight = support::trained(draw({shape.out, shape.in}, place));
  if (shape.bias) layer.bias = support::trained(draw({shape.out}, place));
  if (shape.rank > 0) {
    layer.lora_a = support::trained(draw({shape.rank, shape.in}, place));
    layer.lora_b = support::trained(draw({shape.out, shape.rank}, place));
  }
  layer.lora_scale = 2;
  layer.module = shape.module;
  return layer;
}

// The same weights in float64 on the CPU, as autograd leaves for the reference.
LinearWeights oracle_of(const LinearWeights& layer) {
  LinearWeights oracle = layer;
  for (Parameter* p : {&oracle.weight, &oracle.bias, &oracle.lora_a, &oracle.lora_b}) {
    if (p->is_defined())
      p->value = p->value.to(torch::kCPU, torch::kFloat64).detach().clone().requires_grad_();
  }
  return oracle;
}

void expect_equal_gradients(const LinearWeights& layer, const LinearWeights& oracle, double limit) {
  const std::vector<std::pair<const Parameter*, const Parameter*>> pairs = {{&layer.weight, &oracle.weight},
                                                                            {&layer.bias, &oracle.bias},
                                                                            {&layer.lora_a, &oracle.lora_a},
                                                                            {&layer.lora_b, &oracle.lora_b}};
  for (const auto& [ours, wanted] : pairs) {
    if (!ours->is_defined()) continue;
    EXPECT_LT(support::relative_error(ours->gradient, wanted->value.grad()), limit);
  }
}

Dropout make_dropout(int64_t rows, torch::Device device) {
  return {0.2, 77, torch::arange(rows, torch::kInt64).to(device)};
}

Dropout on_cpu(Dropout dropout) {
  dropout.row_keys = dropout.row_keys.to(torch::kCPU);
  return dropout;
}

void compare_linears(const support::Place& place, int64_t tokens, const std::vector<LayerShape>& shapes) {
  torch::manual_seed(5);
  std::vector<LinearWeights> layers, oracles;
  for (const LayerShape& shape : shapes) layers.push_back(make_layer(shape, place));
  for (const LinearWeights& layer : layers) oracles.push_back(oracle_of(layer));
  auto x = draw({tokens, shapes[0].in}, place).requires_grad_();
  auto oracle_x = x.detach().to(torch::kCPU, torch::kFloat64).requires_grad_();
  const Dropout dropout = make_dropout(tokens, place.device);

  std::vector<const LinearWeights*> addresses;
  for (const LinearWeights& layer : layers) addresses.push_back(&layer);
  const auto outputs = linears(x, addresses, dropout);
  std::vector<torch::Tensor> directions, wanted;
  for (size_t i = 0; i < layers.size(); ++i) {
    directions.push_back(draw({tokens, shapes[i].out}, place));
    wanted.push_back(linear_reference(oracle_x, oracles[i], on_cpu(dropout)));
    EXPECT_LT(support::relative_error(outputs[i], wanted[i]), place.limit);
  }
  torch::autograd::backward(outputs, directions);
  std::vector<torch::Tensor> oracle_directions;
  for (const auto& direction : directions)
    oracle_directions.push_back(direction.to(torch::kCPU, torch::kFloat64));
  torch::autograd::backward(wanted, oracle_directions);
  EXPECT_LT(support::relative_error(x.grad(), oracle_x.grad()), place.limit);
  for (size_t i = 0; i < layers.size(); ++i) expect_equal_gradients(layers[i], oracles[i], place.limit);
}

void compare_swiglu(const support::Place& place, int64_t tokens, const LayerShape& shape) {
  torch::manual_seed(6);
  const LinearWeights layer = make_layer(shape, place);
  const LinearWeights oracle = oracle_of(layer);
  const auto gate_value =
      (3 * torch::randn({tokens, shape.in}, torch::kFloat64)).to(place.device, place.type);
  const auto up_value = torch::randn({tokens, shape.in}, torch::kFloat64).to(place.device, place.type);
  auto gate = gate_value.clone().requires_grad_();
  auto up = up_value.clone().requires_grad_();
  auto oracle_gate = gate_value.to(torch::kCPU, torch::kFloat64).requires_grad_();
  auto oracle_up = up_value.to(torch::kCPU, torch::kFloat64).requires_grad_();
  const Dropout dropout = make_dropout(tokens, place.device);
  const auto direction = draw({tokens, shape.out}, place);

  const auto y = swiglu_linear(gate, up, layer, dropout);
  const auto wanted = linear_reference(torch::silu(oracle_gate) * oracle_up, oracle, on_cpu(dropout));
  EXPECT_LT(support::relative_error(y, wanted), place.limit);
  y.backward(direction);
  wanted.backward(direction.to(torch::kCPU, torch::kFloat64));
  EXPECT_LT(support::relative_error(gate.grad(), oracle_gate.grad()), place.limit);
  EXPECT_LT(support::relative_error(up.grad(), oracle_up.grad()), place.limit);
  expect_equal_gradients(layer, oracle, place.limit);
}

const std::vector<LayerShape> kThreeLayers = {
    {24, 16, 4, true, 0}, {24, 8, 8, false, 1}, {24, 40, 0, true, 2}};

TEST(Linear, ValuesAndGradientsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) compare_linears(place, 9, kThreeLayers);
}

TEST(Linear, AdaptersOfEveryRankAndWidth) {
  const support::Place place = support::cpu_places()[1];
  for (const int64_t rank : {1, 3, 8, 16, 64, 65}) {
    for (const int64_t width : {1, 7, 8, 17, 704})
      compare_linears(place, 37, {{width, 17, rank, true, 0}, {width, 1, rank, false, 1}});
    compare_linears(place, 300, {{40, 704, rank, false, 0}});  // rows for several threads
  }
}

TEST(Linear, StridedInputAndWeights) {
  const LinearWeights layer = make_layer({9, 6, 3, true, 0}, support::cpu_places()[1]);
  LinearWeights strided = layer;
  for (Parameter* p : {&strided.lora_a, &strided.lora_b}) p->value = p->value.t().contiguous().t();
  const auto x = torch::randn({9, 5}).t();
  const Dropout dropout = make_dropout(5, torch::kCPU);
  EXPECT_TRUE(torch::equal(linear(x, strided, dropout), linear(x.contiguous(), layer, dropout)));
}

TEST(Linear, NoRowsAreFine) {
  const LinearWeights layer = make_layer({9, 6, 3, true, 0}, support::cpu_places()[1]);
  auto x = torch::empty({0, 9}).requires_grad_();
  const auto y = linear(x, layer, make_dropout(0, torch::kCPU));
  EXPECT_EQ(y.sizes(), (std::vector<int64_t>{0, 6}));
  y.sum().backward();
  EXPECT_EQ(layer.lora_a.gradient.abs().sum().item<float>(), 0);
}

TEST(Linear, GradientsAddUpOverCalls) {
  const support::Place place = support::cpu_places()[0];
  const LinearWeights layer = make_layer({5, 3, 2, true, 0}, place);
  for (int i = 0; i < 2; ++i) {
    auto x = torch::ones({4, 5}, torch::kFloat64).requires_grad_();
    linear(x, layer, {}).sum().backward();
  }
  EXPECT_TRUE(torch::equal(layer.bias.gradient, torch::full({3}, 8.0, torch::kFloat64)));
}

TEST(Linear, FrozenWeightsGetNoGradient) {
  LinearWeights layer = make_layer({5, 3, 2, true, 0}, support::cpu_places()[1]);
  for (Parameter* p : {&layer.weight, &layer.bias, &layer.lora_a, &layer.lora_b})
    p->gradient = torch::Tensor();
  auto x = torch::randn({4, 5}).requires_grad_();
  linear(x, layer, {}).sum().backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(SwigluLinear, ValuesAndGradientsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) compare_swiglu(place, 11, {40, 16, 4, false, 6});
  for (const int64_t width : {1, 7, 8, 17, 704})
    compare_swiglu(support::cpu_places()[1], 37, {width, 5, 3, false, 6});
}

TEST(LinearGpu, ValuesAndGradientsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare_linears(place, 9, kThreeLayers);
    for (const int64_t rank : {1, 5, 8, 16, 32, 64, 96}) {
      compare_linears(place, 301, {{264, 136, rank, true, 0}, {264, 72, rank, false, 1}});
      compare_linears(place, 33, {{37, 11, rank, false, 4}});  // rows that 16 bytes do not divide
    }
    compare_linears(place, 1024, {{3584, 512, 8, true, 3}});
  }
}

TEST(SwigluLinearGpu, ValuesAndGradientsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare_swiglu(place, 11, {40, 16, 4, false, 6});
    compare_swiglu(place, 257, {1000, 64, 8, false, 6});
    compare_swiglu(place, 13, {37, 8, 8, false, 6});
  }
}

}  // namespace
}  // namespace cuset::ops
