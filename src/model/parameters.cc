#include "model/parameters.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/error.h"
#include "ops/wide_type.h"

namespace cuset::model {
namespace {

// Every weight begins at a multiple of so many elements: 32 bytes or more in each type, so that kernels may
// read any of them in vectors.
constexpr int64_t kAlignment = 16;

int64_t elements(const TrainedWeight& weight) {
  return std::accumulate(weight.shape.begin(), weight.shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t aligned(int64_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

void check_names(const std::vector<TrainedWeight>& weights) {
  std::unordered_set<std::string_view> names;
  for (const TrainedWeight& weight : weights) {
    CUSET_CHECK(names.insert(weight.name).second, "two trained weights are called {}", weight.name);
  }
}

torch::Tensor piece(const torch::Tensor& buffer, int64_t offset, const TrainedWeight& weight) {
  return buffer.narrow(0, offset, elements(weight)).view(weight.shape);
}

}  // namespace

TrainedParameters::TrainedParameters(std::vector<TrainedWeight> weights, torch::ScalarType compute_type,
                                     torch::Device device)
    : weights_(std::move(weights)) {
  check_names(weights_);
  std::stable_partition(weights_.begin(), weights_.end(), [](const TrainedWeight& w) { return w.decays; });
  int64_t size = 0;
  for (const TrainedWeight& weight : weights_) {
    offsets_.push_back(size);
    size += aligned(elements(weight));
    if (weight.decays) decaying_size_ = size;
  }
  // A float64 model is a test's reference: nothing of it may be rounded.
  const auto master_type = ops::wide_type(compute_type);
  const auto options = torch::TensorOptions().device(device).dtype(master_type);
  master_ = torch::zeros({size}, options);
  gradient_ = torch::zeros({size}, options);
  compute_ = compute_type == master_type ? master_ : torch::zeros({size}, options.dtype(compute_type));
}

size_t TrainedParameters::index_of(const std::string& name) const {
  const auto found = std::find_if(weights_.begin(), weights_.end(),
                                  [&](const TrainedWeight& weight) { return weight.name == name; });
  CUSET_CHECK(found != weights_.end(), "no trained weight is called {}", name);
  return static_cast<size_t>(found - weights_.begin());
}

ops::Parameter TrainedParameters::parameter(const std::string& name) const {
  const size_t index = index_of(name);
  return {.value = piece(compute_, offsets_[index], weights_[index]),
          .gradient = piece(gradient_, offsets_[index], weights_[index])};
}

torch::Tensor TrainedParameters::master_of(const std::string& name) const {
  const size_t index = index_of(name);
  return piece(master_, offsets_[index], weights_[index]);
}

void TrainedParameters::refresh_compute() {
  if (master_.defined() && !compute_.is_same(master_)) compute_.copy_(master_);
}

void TrainedParameters::zero_gradient() {
  if (gradient_.defined()) gradient_.zero_();
}

}  // namespace cuset::model
