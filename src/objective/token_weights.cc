#include "objective/token_weights.h"

#include <cmath>

#include "base/error.h"

namespace cuset::objective {
namespace {

constexpr double kFullEntropy = 3;  // EAFT's value for the entropy of 20 equally likely tokens, ln 20 = 2.996

torch::Tensor entropy_weights(const torch::Tensor& entropy, double exponent) {
  CUSET_CHECK(entropy.defined(), "EAFT without entropies");
  // Rounding may leave the entropy of a certain token a little below 0, which has no power.
  return (entropy.clamp_min(0) / kFullEntropy).pow(exponent);
}

torch::Tensor hybrid_mask(const ObjectiveSettings& settings, double tau, const torch::Tensor& log_p,
                          const torch::Tensor& is_cuda) {
  auto mask =
      settings.confidence_mask ? (log_p > std::log(tau)).to(log_p.scalar_type()) : torch::ones_like(log_p);
  if (settings.cuda_mask) mask.add_(is_cuda, settings.lambda);
  return mask;
}

torch::Tensor accepted_mask(const ObjectiveSettings& settings, const torch::Tensor& accepted,
                            const torch::Tensor& is_cuda, torch::ScalarType type) {
  auto mask = accepted.to(type);
  if (settings.cuda_mask) mask.add_(accepted.logical_and(is_cuda), settings.lambda);
  return mask;
}

}  // namespace

torch::Tensor token_weights(const ObjectiveSettings& settings, double tau,
                            const ops::LinearCrossEntropy& metrics, const torch::Tensor& is_cuda,
                            const torch::Tensor& accepted) {
  const torch::Tensor& log_p = metrics.log_probability;
  switch (settings.method) {
    case Method::kSft:
      return torch::ones_like(log_p);
    case Method::kDft:
    case Method::kAsft:
      return log_p.exp();
    case Method::kEaft:
      return entropy_weights(metrics.entropy, settings.entropy_exponent);
    case Method::kProFit:
      return (log_p >= std::log(tau)).to(log_p.scalar_type());
    case Method::kCuset:
      return hybrid_mask(settings, tau, log_p, is_cuda);
    case Method::kCusetPlus:
      return accepted_mask(settings, accepted, is_cuda, log_p.scalar_type());
  }
  CUSET_CHECK(false, "method {}", static_cast<int>(settings.method));
}

}  // namespace cuset::objective
