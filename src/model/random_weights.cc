// Random weights of a whole model (model_folder.h).
#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "base/machine/worker_pool.h"
#include "model/model_folder.h"

namespace cuset::model {
namespace {

// Above this a GPU's own generator is used: it fills a 7B model in a second.
constexpr int64_t kFewElements = 1 << 20;
// Elements that a thread draws at a time; LibTorch converts so few without threads of its own.
constexpr int64_t kBlock = 16384;
constexpr uint64_t kWordsPerNormal = 2;

void draw_block(torch::Tensor& flat, int64_t begin, double deviation, base::RandomStream stream) {
  const int64_t count = std::min(kBlock, flat.numel() - begin);
  torch::Tensor values = torch::empty({count}, torch::kFloat32);
  auto* value = values.data_ptr<float>();
  stream.seek(kWordsPerNormal * static_cast<uint64_t>(begin));
  for (int64_t i = 0; i < count; ++i) value[i] = static_cast<float>(deviation * stream.normal());
  flat.narrow(0, begin, count).copy_(values);
}

// Draw i of the stream goes to element i, whoever draws it.
void draw_on_cpu(torch::Tensor& weight, double deviation, const base::RandomStream& stream) {
  torch::Tensor flat = weight.view(-1);
  const int64_t blocks = (flat.numel() + kBlock - 1) / kBlock;
  base::WorkerPool().run(static_cast<size_t>(blocks), [&](size_t block) {
    const torch::NoGradGuard no_gradient;
    draw_block(flat, static_cast<int64_t>(block) * kBlock, deviation, stream);
  });
}

void draw_on_device(torch::Tensor& weight, double deviation, base::RandomStream stream) {
  at::Generator generator = at::globalContext().defaultGenerator(weight.device()).clone();
  generator.set_current_seed(stream.next_u64());
  weight.normal_(0, deviation, generator);
}

torch::Tensor random_weight(const WeightShape& shape, const WeightOptions& options, double deviation,
                            const base::RandomStream& stream) {
  const auto target = torch::TensorOptions(options.type).device(options.device);
  if (shape.shape.size() == 1) {
    return shape.name.ends_with(".bias") ? torch::zeros(shape.shape, target)
                                         : torch::ones(shape.shape, target);
  }
  torch::Tensor weight = torch::empty(shape.shape, target);
  if (weight.is_cpu()) {
    draw_on_cpu(weight, deviation, stream);
  } else if (weight.numel() < kFewElements) {
    torch::Tensor drawn = torch::empty(shape.shape, options.type);
    draw_on_cpu(drawn, deviation, stream);
    weight.copy_(drawn);
  } else {
    draw_on_device(weight, deviation, stream);
  }
  return weight;
}

}  // namespace

std::vector<NamedTensor> random_model_weights(const ModelConfig& config, const WeightOptions& options,
                                              const base::RandomStream& stream) {
  const torch::NoGradGuard no_gradient;
  std::vector<NamedTensor> weights;
  for (const WeightShape& shape : weight_shapes(config)) {
    weights.push_back(
        {shape.name, random_weight(shape, options, config.initializer_range, stream.child(shape.name))});
  }
  return weights;
}

}  // namespace cuset::model
