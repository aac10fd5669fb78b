#include "objective/policy_loss.h"

#include <algorithm>

#include "base/error.h"
#include "objective/sample_weights.h"

namespace cuset::objective {
namespace {

// Rows and completions of a pack, and how to go from one to the other.
class Completions {
 public:
  Completions(const PolicyRows& rows, torch::Device device)
      : segments_(make_row_segments(rows.borders, device)),
        lengths_(segments_.borders.diff().to(torch::kFloat64).clamp_min(1)) {}

  torch::Tensor rows_of(const torch::Tensor& completions) const {  // [completions] -> [rows]
    return completions.index_select(0, segments_.sample_of_row);
  }
  torch::Tensor sums_of(const torch::Tensor& rows) const {  // [rows] -> [completions]
    return torch::zeros({segments_.samples()}, rows.options()).index_add_(0, segments_.sample_of_row, rows);
  }
  torch::Tensor means_of(const torch::Tensor& rows) const { return sums_of(rows) / lengths_; }
  const torch::Tensor& lengths() const { return lengths_; }  // [completions] float64

 private:
  RowSegments segments_;
  torch::Tensor lengths_;
};

bool is_of_sequences(const PolicySettings& settings) {
  return settings.loss_type == LossType::kGspo || settings.loss_type == LossType::kRloo ||
         settings.importance_sampling_level == RatioLevel::kSequence;
}

// log rho of every row.
torch::Tensor log_ratios(const PolicySettings& settings, const Completions& completions,
                         const torch::Tensor& difference) {
  if (settings.loss_type == LossType::kRloo) return completions.rows_of(completions.sums_of(difference));
  return is_of_sequences(settings) ? completions.rows_of(completions.means_of(difference)) : difference;
}

bool masks(MismatchCorrection correction) {
  return correction == MismatchCorrection::kTokenMask || correction == MismatchCorrection::kSequenceMask ||
         correction == MismatchCorrection::kGeometricMask;
}

// w of every row.
torch::Tensor corrections(const PolicySettings& settings, const Completions& completions,
                          const torch::Tensor& old, const torch::Tensor& sampler) {
  const MismatchCorrection mode = settings.importance_sampling_mode;
  if (mode == MismatchCorrection::kNone || !sampler.defined()) return torch::ones_like(old);
  torch::Tensor log_ratio = old - sampler.to(torch::kFloat64);
  if (mode == MismatchCorrection::kSequenceTruncate || mode == MismatchCorrection::kSequenceMask) {
    log_ratio = completions.rows_of(completions.sums_of(log_ratio));
  } else if (mode == MismatchCorrection::kGeometricTruncate || mode == MismatchCorrection::kGeometricMask) {
    log_ratio = completions.rows_of(completions.means_of(log_ratio));
  }
  const torch::Tensor ratio = log_ratio.exp();
  const double low = settings.importance_sampling_min;
  const double high = settings.importance_sampling_cap;
  if (!masks(mode)) return ratio.clamp(low, high);
  return torch::where((ratio >= low).logical_and(ratio <= high), ratio, torch::zeros_like(ratio));
}

// c of every row.
torch::Tensor shares(const PolicySettings& settings, const Completions& completions,
                     const PolicyStepSize& step) {
  const auto count = static_cast<double>(std::max<int64_t>(1, step.completions));
  switch (settings.loss_type) {
    case LossType::kGrpo:
    case LossType::kGspo:
    case LossType::kRloo:
      return completions.rows_of(1 / (completions.lengths() * count));
    case LossType::kDrGrpo: {
      const auto most = static_cast<double>(std::max<int64_t>(1, settings.max_completion_length));
      return completions.rows_of(torch::full_like(completions.lengths(), 1 / (count * most)));
    }
    default: {
      const auto tokens = static_cast<double>(std::max<int64_t>(1, step.active_tokens));
      return completions.rows_of(torch::full_like(completions.lengths(), 1 / tokens));
    }
  }
}

struct TokenLosses {
  torch::Tensor loss;    // [rows], without w and c
  torch::Tensor factor;  // [rows]: -d loss / d log rho, or for CISPO -d loss / d logp
};

TokenLosses clipped_losses(const PolicySettings& settings, const torch::Tensor& ratio,
                           const torch::Tensor& advantage) {
  const auto plain = ratio * advantage;
  const auto clipped = ratio.clamp(1 - settings.epsilon, 1 + settings.epsilon_high) * advantage;
  return {-torch::minimum(plain, clipped), torch::where(plain <= clipped, plain, torch::zeros_like(plain))};
}

TokenLosses cispo_losses(const PolicySettings& settings, const torch::Tensor& ratio,
                         const torch::Tensor& advantage, const torch::Tensor& log_p) {
  const auto weight = ratio.clamp_max(settings.epsilon_high) * advantage;
  return {-weight * log_p, weight};
}

// -d (sum of c w loss) / d logp: through a sequence's ratio every token has a part in all losses of its sequence.
torch::Tensor policy_weights(const PolicySettings& settings, const Completions& completions,
                             const torch::Tensor& weighted_factor) {
  if (settings.loss_type == LossType::kCispo || !is_of_sequences(settings)) return weighted_factor;
  if (settings.loss_type == LossType::kRloo) return completions.rows_of(completions.sums_of(weighted_factor));
  return completions.rows_of(completions.means_of(weighted_factor));
}

}  // namespace

PolicyLoss policy_loss(const PolicySettings& settings, const torch::Tensor& log_probability,
                       const PolicyRows& rows, const PolicyStepSize& step) {
  const torch::NoGradGuard no_gradient;
  CUSET_CHECK(log_probability.numel() == rows.borders.back() &&
                  rows.advantages.numel() == rows.completions() &&
                  rows.is_masked.numel() == rows.completions(),
              "{} rows, last border {}, {} advantages of {} completions", log_probability.numel(),
              rows.borders.back(), rows.advantages.numel(), rows.completions());
  CUSET_CHECK(!settings.needs_reference() || rows.reference_log_probability.defined(), "no reference");
  const Completions completions(rows, log_probability.device());
  const auto is_active = completions.rows_of(rows.is_masked).logical_not();
  const auto active = [&](const torch::Tensor& x) {
    return torch::where(is_active, x, torch::zeros_like(x));
  };
  const auto log_p = active(log_probability.to(torch::kFloat64));
  const auto old =
      rows.old_log_probability.defined() ? active(rows.old_log_probability.to(torch::kFloat64)) : log_p;
  const auto advantage = completions.rows_of(rows.advantages.to(torch::kFloat64));
  const auto ratio = log_ratios(settings, completions, log_p - old).exp();
  const bool is_cispo = settings.loss_type == LossType::kCispo;
  const TokenLosses tokens =
      is_cispo ? cispo_losses(settings, ratio, advantage, log_p) : clipped_losses(settings, ratio, advantage);
  const auto sampler =
      rows.sampler_log_probability.defined() ? active(rows.sampler_log_probability) : torch::Tensor();
  const auto correction = corrections(settings, completions, old, sampler);
  const auto share = active(shares(settings, completions, step));

  PolicyLoss result;
  result.row_weight = policy_weights(settings, completions, share * correction * tokens.factor);
  result.loss = (share * correction * tokens.loss).sum();
  result.divergence_sum = torch::zeros_like(result.loss);
  if (rows.reference_log_probability.defined()) {
    const auto behind = active(rows.reference_log_probability.to(torch::kFloat64)) - log_p;
    const auto divergence = behind.exp() - behind - 1;
    result.divergence_sum = active(divergence).sum();
    result.loss = result.loss + (share * settings.beta * divergence).sum();
    result.row_weight = result.row_weight + share * settings.beta * (behind.exp() - 1);
  }
  const double high = is_cispo ? settings.epsilon_high : 1 + settings.epsilon_high;
  const auto is_low = (ratio < 1 - settings.epsilon).logical_and(advantage < 0);
  const auto is_high = (ratio > high).logical_and(advantage > 0);
  result.clipped_low_sum = is_low.logical_and(is_active).sum(torch::kFloat64);
  result.clipped_high_sum = is_high.logical_and(is_active).sum(torch::kFloat64);
  result.ratio_sum = active(ratio).sum();
  result.correction_sum = active(correction).sum();
  result.active_tokens = is_active.sum(torch::kFloat64);
  return result;
}

}  // namespace cuset::objective
