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

// A row's scores: its logits, or a copy of them with biases and penalties.
class Scores {
 public:
  Scores(float* logits, int64_t vocab, const SamplingRow& row) : values_(logits) {
    const std::vector<ScoreChange> changes = score_changes(row.settings, row.used, row.bias);
    if (changes.empty()) return;
    changed_.assign(logits, logits + vocab);
    for (const ScoreChange& change : changes) {
      float& score = changed_.at(static_cast<size_t>(change.id));
      score = change.applied_to(score);
    }
    values_ = changed_.data();
  }
  const float* data() const { return values_; }

 private:
  std::vector<float> changed_;
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
struct MostProbable {
  double temperature = 0;
  int64_t count = 0;
};
std::vector<TokenLogProbability> most_probable(const float* logits, int64_t vocab, const MostProbable& wanted,
                                               const SampledToken& chosen) {
  std::vector<int64_t> ids(static_cast<size_t>(vocab));
  std::iota(ids.begin(), ids.end(), int64_t{0});
  const auto end = ids.begin() + std::min(wanted.count, vocab);
  std::partial_sort(ids.begin(), end, ids.end(), [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  const double temperature = wanted.temperature > 0 ? wanted.temperature : 1;
  std::vector<TokenLogProbability> top;
  for (auto id = ids.begin(); id != end; ++id) {
    const double distance = (double{logits[*id]} - double{logits[chosen.id]}) / temperature;
    top.push_back({*id, static_cast<float>(double{chosen.log_probability} + distance)});
  }
  return top;
}

SampledToken scored(const float* logits, int64_t vocab, const MostProbable& wanted, int64_t id) {
  SampledToken token;
  token.id = id;
  token.log_probability = scaled_log_probability(logits, vocab, wanted.temperature, id);
  if (wanted.count > 0) token.top = most_probable(logits, vocab, wanted, token);
  return token;
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
    const double confidence = token.confidence;
    token = scored(logits, vocab, {row.settings.temperature, row.top_tokens}, token.id);
    token.confidence = confidence;
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

std::vector<SampledToken> score_on_host(const torch::Tensor& logits, const GivenTokens& given) {
  const int64_t vocab = logits.size(1), stride = logits.stride(0);
  const float* values = logits.const_data_ptr<float>();
  std::vector<SampledToken> tokens(given.targets.size());
  const int64_t grain = std::max<int64_t>(1, kElementsPerThread / vocab);
  at::parallel_for(0, std::ssize(given.targets), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto place = static_cast<size_t>(i);
      tokens[place] =
          scored(values + i * stride, vocab, {given.temperature, given.top_tokens}, given.targets[place]);
    }
  });
  return tokens;
}

// One copy from the device: per row the target's log-probability, then those and the ids of the most probable tokens.
std::vector<SampledToken> score_on_device(const torch::Tensor& logits, const GivenTokens& given) {
  const std::vector<int64_t> targets(given.targets.begin(), given.targets.end());
  const auto at = torch::tensor(targets, torch::kInt64).to(logits.device()).unsqueeze(1);
  const auto log_p = (given.temperature > 0 ? logits / given.temperature : logits).log_softmax(1);
  const int64_t count = std::min(given.top_tokens, logits.size(1));
  const auto best = torch::topk(log_p, count, 1);
  const auto found =
      torch::cat({log_p.gather(1, at).to(torch::kFloat64), std::get<0>(best).to(torch::kFloat64),
                  std::get<1>(best).to(torch::kFloat64)},
                 1);
  const torch::Tensor host = found.cpu();
  const auto values = host.accessor<double, 2>();
  std::vector<SampledToken> tokens(targets.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto row = values[static_cast<int64_t>(i)];
    tokens[i].id = targets[i];
    tokens[i].log_probability = static_cast<float>(row[0]);
    for (int64_t j = 1; j <= count; ++j)
      tokens[i].top.push_back({static_cast<int64_t>(row[count + j]), static_cast<float>(row[j])});
    std::stable_sort(tokens[i].top.begin(), tokens[i].top.end(), [](const auto& a, const auto& b) {
      return a.log_probability != b.log_probability ? a.log_probability > b.log_probability : a.id < b.id;
    });
  }
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

std::vector<SampledToken> score_tokens(const torch::Tensor& logits, const GivenTokens& given,
                                       const SamplingOptions& options) {
  CUSET_CHECK(logits.dim() == 2 && logits.size(0) == std::ssize(given.targets),
              "{} rows of logits for {} tokens", logits.size(0), given.targets.size());
  const torch::NoGradGuard no_gradient;
  const bool on_host = logits.is_cpu() && !options.always_by_candidates;
  std::vector<SampledToken> tokens = on_host ? score_on_host(logits, given) : score_on_device(logits, given);
  for (const SampledToken& token : tokens) {
    if (!std::isfinite(token.log_probability)) refuse_logits();
  }
  return tokens;
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
