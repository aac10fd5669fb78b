#include "train/optimizer.h"

#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <string>
#include <string_view>
#include <unordered_set>

#include "base/error.h"

namespace cuset::train {
namespace {

// ATen makes a float64 copy of what it sums in float64. Piece by piece that copy stays in the cache of a CPU,
// and takes little memory of a GPU.
constexpr int64_t kCpuNormPiece = int64_t{1} << 16;
constexpr int64_t kGpuNormPiece = int64_t{1} << 24;

torch::Tensor norm_in_float64(const torch::Tensor& x) {
  return at::linalg_vector_norm(x, 2, at::OptionalIntArrayRef(), /*keepdim=*/false, torch::kFloat64);
}

void check(const OptimizerSettings& settings) {
  const auto in_unit = [](double value, const char* key) {
    if (!(value >= 0 && value < 1)) throw base::UsageError("{} is {}, but must be in [0, 1)", key, value);
  };
  in_unit(settings.beta1, "adam_beta1");
  in_unit(settings.beta2, "adam_beta2");
  if (!(settings.epsilon >= 0))
    throw base::UsageError("adam_epsilon is {}, but must be 0 or more", settings.epsilon);
  if (!(settings.weight_decay >= 0)) {
    throw base::UsageError("weight_decay is {}, but must be 0 or more", settings.weight_decay);
  }
  if (!(settings.lora_plus_ratio > 0)) {
    throw base::UsageError("loraplus_lr_ratio is {}, but must be above 0", settings.lora_plus_ratio);
  }
}

// The part of `buffer` that lies where `master_part` lies in `master`; weights may be padded.
torch::Tensor same_part(const torch::Tensor& buffer, const torch::Tensor& master,
                        const torch::Tensor& master_part) {
  const int64_t offset = master_part.storage_offset() - master.storage_offset();
  return buffer.narrow(0, offset, master_part.numel()).view(master_part.sizes());
}

base::Error bad_state(const model::SafetensorsFile& file, std::string_view tensor, std::string_view what) {
  return base::Error("{}: {} {}", file.path().string(), base::in_quotes(tensor), what)
      .with_remedy("resume with the model and the trained layers of the run that wrote it");
}

const model::StoredTensor& stored(const model::SafetensorsFile& file, const std::string& name,
                                  const torch::Tensor& like) {
  const model::StoredTensor* found = file.find(name);
  if (found == nullptr) throw bad_state(file, name, "is missing");
  if (torch::IntArrayRef(found->shape) != like.sizes()) {
    throw bad_state(file, name,
                    fmt::format("has the shape {}, but must have {}",
                                c10::str(torch::IntArrayRef(found->shape)), c10::str(like.sizes())));
  }
  if (found->type != like.scalar_type()) {
    throw bad_state(
        file, name,
        fmt::format("is {}, but must be {}", toString(found->type), toString(like.scalar_type())));
  }
  return *found;
}

// The file may belong to a run that trained more layers.
void refuse_strangers(const model::SafetensorsFile& file, const std::vector<model::NamedTensor>& wanted) {
  std::unordered_set<std::string_view> known = {"step"};
  for (const model::NamedTensor& piece : wanted) known.insert(piece.name);
  for (const model::StoredTensor& tensor : file.tensors()) {
    if (!known.contains(tensor.name))
      throw bad_state(file, tensor.name, "does not belong to a trained weight");
  }
}

}  // namespace

torch::Tensor gradient_norm(const torch::Tensor& gradient) {
  const int64_t size = gradient.is_cuda() ? kGpuNormPiece : kCpuNormPiece;
  if (gradient.numel() <= size) return norm_in_float64(gradient);
  std::vector<torch::Tensor> norms;
  for (const torch::Tensor& piece : gradient.split(size)) norms.push_back(norm_in_float64(piece));
  return norm_in_float64(torch::stack(norms));
}

torch::Tensor clip_gradient(torch::Tensor& gradient, double max_norm) {
  const torch::NoGradGuard no_gradient;
  torch::Tensor norm = gradient_norm(gradient);
  if (max_norm > 0) gradient.mul_((max_norm / (norm + 1e-6)).clamp_max(1.0).to(gradient.scalar_type()));
  return norm;
}

Optimizer::Optimizer(model::TrainedParameters& parameters, const OptimizerSettings& settings)
    : parameters_(&parameters), settings_(settings) {
  check(settings);
  CUSET_CHECK(parameters.size() > 0, "nothing is trained");
  exp_avg_ = torch::zeros_like(parameters.master());
  exp_avg_sq_ = torch::zeros_like(parameters.master());
  step_ = torch::zeros({}, parameters.master().options().dtype(torch::kFloat32));
}

void Optimizer::step(double learning_rate) {
  const torch::NoGradGuard no_gradient;
  step_.add_(1);
  ++steps_done_;
  if (settings_.lora_plus_ratio != 1) {
    update_matrices(learning_rate);
  } else {
    update_slice(0, parameters_->decaying_size(), learning_rate, settings_.weight_decay);
    update_slice(parameters_->decaying_size(), parameters_->size(), learning_rate, 0);
  }
  parameters_->refresh_compute();
}

double Optimizer::gradient_agreement() const {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor& gradient = parameters_->gradient();
  const double norms = (gradient_norm(gradient) * gradient_norm(exp_avg_)).item<double>();
  if (norms == 0) return 0;
  return gradient.to(torch::kFloat64).dot(exp_avg_.to(torch::kFloat64)).item<double>() / norms;
}

void Optimizer::update_matrices(double learning_rate) {
  for (const model::TrainedWeight& weight : parameters_->weights()) {
    const torch::Tensor value = parameters_->master_of(weight.name);
    const int64_t begin = value.storage_offset() - parameters_->master().storage_offset();
    const bool is_b = weight.name.ends_with(".lora_B.weight");
    update_slice(begin, begin + value.numel(), learning_rate * (is_b ? settings_.lora_plus_ratio : 1),
                 weight.decays ? settings_.weight_decay : 0);
  }
}

void Optimizer::update_slice(int64_t begin, int64_t end, double learning_rate, double weight_decay) {
  if (begin == end) return;
  const auto slice = [&](const torch::Tensor& buffer) { return buffer.narrow(0, begin, end - begin); };
  at::_fused_adamw_({slice(parameters_->master())}, {slice(parameters_->gradient())}, {slice(exp_avg_)},
                    {slice(exp_avg_sq_)}, /*max_exp_avg_sqs=*/{}, {step_}, learning_rate, settings_.beta1,
                    settings_.beta2, weight_decay, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
}

std::vector<model::NamedTensor> Optimizer::pieces() const {
  std::vector<model::NamedTensor> pieces;
  const torch::Tensor& master = parameters_->master();
  for (const model::TrainedWeight& weight : parameters_->weights()) {
    const torch::Tensor value = parameters_->master_of(weight.name);
    pieces.push_back({"master." + weight.name, value});
    pieces.push_back({"exp_avg." + weight.name, same_part(exp_avg_, master, value)});
    pieces.push_back({"exp_avg_sq." + weight.name, same_part(exp_avg_sq_, master, value)});
  }
  return pieces;
}

std::vector<model::NamedTensor> Optimizer::state() const {
  std::vector<model::NamedTensor> tensors = {{"step", torch::full({1}, steps_done_, torch::kInt64)}};
  for (model::NamedTensor& piece : pieces()) tensors.push_back(std::move(piece));
  return tensors;
}

void Optimizer::load_state(const model::SafetensorsFile& file) {
  const torch::NoGradGuard no_gradient;
  const model::StoredTensor& step = stored(file, "step", torch::empty({1}, torch::kInt64));
  const std::vector<model::NamedTensor> wanted = pieces();
  std::vector<const model::StoredTensor*> found;
  for (const model::NamedTensor& piece : wanted) found.push_back(&stored(file, piece.name, piece.tensor));
  refuse_strangers(file, wanted);
  for (size_t i = 0; i < wanted.size(); ++i) {
    torch::Tensor target = wanted[i].tensor;
    target.copy_(file.view(*found[i]));
  }
  steps_done_ = file.view(step).item<int64_t>();
  step_.fill_(static_cast<double>(steps_done_));
  parameters_->refresh_compute();
}

}  // namespace cuset::train
