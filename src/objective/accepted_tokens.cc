#include "objective/accepted_tokens.h"

#include <cmath>

namespace cuset::objective {
namespace {

// [rows] bool: whether more than `share` of a row's kind are among `unlikely`. Counts are whole numbers, the same in any
// order of addition.
torch::Tensor has_unlikely_kind(const torch::Tensor& unlikely, const torch::Tensor& kind, int64_t kinds,
                                double share) {
  const auto none = torch::zeros({kinds}, kind.options());
  const auto all = none.scatter_add(0, kind, torch::ones_like(kind));
  const auto found = none.scatter_add(0, kind, unlikely.to(kind.scalar_type()));
  const auto is_over = found.to(torch::kFloat64) > all.to(torch::kFloat64) * share;
  return is_over.index_select(0, kind);
}

}  // namespace

torch::Tensor accepted_tokens(const ObjectiveSettings& settings, double tau,
                              const ops::LinearCrossEntropy& metrics, const torch::Tensor& is_cuda,
                              const RowSegments& segments) {
  if (!settings.confidence_mask) return torch::ones_like(is_cuda);
  const auto unlikely = metrics.log_probability <= std::log(tau);
  const auto is_sure = metrics.best_log_probability >= std::log(settings.conflict);
  const auto kind = segments.sample_of_row * 2 + is_cuda;
  const auto in_company = has_unlikely_kind(unlikely, kind, 2 * segments.samples(), settings.refused_share);
  return unlikely.logical_and(is_sure.logical_or(in_company)).logical_not();
}

}  // namespace cuset::objective
