#include "generate/sampling.h"

#include <ATen/Parallel.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "generate/candidates.h"
#include "ops/cpu/row_loops.h"

namespace cuset::generate {
namespace {

constexpr int64_t kElementsPerThread = 1 << 14;

[[noreturn]] void refuse_logits() {
  throw base::Error("the model's logits are not finite numbers")
      .with_remedy("the weights are damaged, or overflow in this dtype: try --dtype float32");
}

// A row's scores: its logits, or a copy of them with the penalty.
class Scores {
 public:
  Scores(float* logits, int64_t vocab, const SamplingRow& row) : values_(logits) {
    if (row.settings.repetition_penalty == 1 || row.seen.empty()) return;
    penalized_.assign(logits, logits + vocab);
    const auto penalty = static_cast<float>(row.settings.repetition_penalty);
    for (const int64_t id : row.seen) {
      float& score = penalized_.at(static_cast<size_t>(id));
      score = score < 0 ? score * penalty : score / penalty;
    }
    values_ = penalized_.data();
  }
  const float* data() const { return values_; }

 private:
  std::vector<float> penalized_;
  const float* values_;
};

int64_t best_of(const float* scores, int64_t vocab) {
  return std::max_element(scores, scores + vocab) - scores;
}

// The weights of all tokens at the row's temperature, the largest 1.
std::vector<float> weights_of(const float* scores, int64_t vocab, const SamplingSettings& settings) {
  std::vector<float> weights(static_cast<size_t>(vocab));
  const auto scale = static_cast<float>(1 / settings.temperature);
  if (!std::isfinite(ops::exponentials_row(scores, vocab, scale, weights.data()))) refuse_logits();
  return weights;
}

// As the head of training computes it (ops/linear_cross_entropy.h): the logits divided, then their softmax.
float scaled_log_probability(const float* logits, int64_t vocab, double temperature, int64_t token) {
  std::vector<float> scaled(logits, logits + vocab);
  const auto divisor = static_cast<float>(temperature);
  if (temperature != 0 && temperature != 1) {
    for (float& score : scaled) score /= divisor;
  }
  return ops::softmax_row(scaled.data(), vocab, token, false).log_probability;
}

// The tokens with the largest logits, equal ones by id. All log-probabilities are the chosen token's plus the distance of
// the scaled logits, so that one normalization serves them.
std::vector<TokenLogProbability> most_probable(const float* logits, int64_t vocab, const SamplingRow& row,
                                               const SampledToken& chosen) {
  std::vector<int64_t> ids(static_cast<size_t>(vocab));
  std::iota(ids.begin(), ids.end(), int64_t{0});
  const auto end = ids.begin() + std::min(row.top_tokens, vocab);
  std::partial_sort(ids.begin(), end, ids.end(), [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  const double temperature = row.settings.temperature > 0 ? row.settings.temperature : 1;
  std::vector<TokenLogProbability> top;
  for (auto id = ids.begin(); id != end; ++id) {
    const double distance = (double{logits[*id]} - double{logits[chosen.id]}) / temperature;
    top.push_back({*id, static_cast<float>(double{chosen.log_probability} + distance)});
  }
  return top;
}

SampledToken sample_on_host(float* logits, int64_t vocab, const SamplingRow& row) {
  const Scores scores(logits, vocab, row);
  SampledToken token;
  if (row.settings.temperature == 0) {
    token.id = best_of(scores.data(), vocab);
  } else {
    const std::vector<float> weights = weights_of(scores.data(), vocab, row.settings);
    RankedWeights ranked(weights);
    const std::optional<size_t> rank = draw_rank({ranked, 0}, row.settings, row.draw);
    CUSET_CHECK(rank, "all tokens are candidates");
    token.id = static_cast<int64_t>(ranked.index_at(*rank));
  }
  token.confidence = std::exp(double{ops::softmax_row(logits, vocab, token.id, false).log_probability});
  if (!std::isfinite(token.confidence)) refuse_logits();
  if (row.wants_log_probability) {
    token.log_probability = scaled_log_probability(logits, vocab, row.settings.temperature, token.id);
    if (row.top_tokens > 0) token.top = most_probable(logits, vocab, row, token);
  }
  return token;
}

std::vector<SampledToken> sample_all_on_host(const torch::Tensor& logits, std::span<const SamplingRow> rows) {
  CUSET_CHECK(logits.stride(1) == 1, "a row of logits is not contiguous");
  float* values = logits.data_ptr<float>();
  const int64_t vocab = logits.size(1);
  const int64_t stride = logits.stride(0);
  std::vector<SampledToken> tokens(rows.size());
  const int64_t grain = std::max<int64_t>(1, kElementsPerThread / vocab);
  at::parallel_for(0, std::ssize(rows), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      tokens[static_cast<size_t>(i)] =
          sample_on_host(values + i * stride, vocab, rows[static_cast<size_t>(i)]);
    }
  });
  return tokens;
}

// What the device found out about each row, in main memory.
std::vector<SampledToken> sample_by_candidates(const torch::Tensor& logits, std::span<const SamplingRow> rows,
                                               int64_t count) {
  const DeviceCandidates found(logits, rows, count);
  std::vector<SampledToken> tokens;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!std::isfinite(found.mass(i))) refuse_logits();
    if (const std::optional<SampledToken> token = found.sample(i, rows[i])) {
      tokens.push_back(*token);
      continue;
    }
    const torch::Tensor row = logits[static_cast<int64_t>(i)].cpu().contiguous();
    tokens.push_back(sample_on_host(row.data_ptr<float>(), row.numel(), rows[i]));
  }
  return tokens;
}

}  // namespace

std::vector<SampledToken> sample_tokens(const torch::Tensor& logits, std::span<const SamplingRow> rows,
                                        const SamplingOptions& options) {
  CUSET_CHECK(logits.dim() == 2 && logits.size(0) == std::ssize(rows), "{} rows of logits for {} of settings",
              logits.size(0), rows.size());
  const torch::NoGradGuard no_gradient;
  if (logits.is_cpu() && !options.always_by_candidates) return sample_all_on_host(logits, rows);
  return sample_by_candidates(logits, rows, options.candidates);
}

std::vector<double> filtered_distribution(std::span<const float> logits, const SamplingRow& row) {
  std::vector<float> copy(logits.begin(), logits.end());
  const auto vocab = static_cast<int64_t>(copy.size());
  const Scores scores(copy.data(), vocab, row);
  std::vector<double> distribution(copy.size(), 0);
  if (row.settings.temperature == 0) {
    distribution[static_cast<size_t>(best_of(scores.data(), vocab))] = 1;
    return distribution;
  }
  const std::vector<float> weights = weights_of(scores.data(), vocab, row.settings);
  RankedWeights ranked(weights);
  const std::optional<Kept> kept = kept_by_filters({ranked, 0}, row.settings);
  for (size_t rank = 0; rank < kept->count; ++rank) {
    distribution[ranked.index_at(rank)] = double{ranked.weight_at(rank)} / kept->mass;
  }
  return distribution;
}

}  // namespace cuset::generate
