#include "generate/candidates.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace cuset::generate {
namespace {

// Sums of so many neighbors are formed on the device, the sum of those in main memory: a shape that does not
// depend on the number of rows, and so bits that do not.
constexpr int64_t kSummed = 512;

// The number of leading candidates, at most `kept`, of which each has less than `limit` before it; nothing
// where that continues beyond the candidates.
std::optional<size_t> count_below(const Candidates& candidates, double limit, size_t kept) {
  // Rounding must not let one more in where the mass before it is the limit itself.
  const size_t count = candidates.ranked.count_above(std::nextafter(limit, 0.0));
  if (count > candidates.ranked.size() && candidates.rest > 0) return std::nullopt;
  return std::clamp<size_t>(count, 1, kept);
}

// [rows, 1] of one number per row, on the device.
template <typename Of>
torch::Tensor column_of(std::span<const SamplingRow> rows, torch::Device device, Of of) {
  std::vector<float> values;
  for (const SamplingRow& row : rows) values.push_back(static_cast<float>(of(row.settings)));
  return torch::tensor(values).unsqueeze(1).to(device);
}

// The logits, or a copy with biases and penalties (ScoreChange::applied_to).
torch::Tensor changed_scores(const torch::Tensor& logits, std::span<const SamplingRow> rows) {
  std::vector<int64_t> places;
  std::vector<float> biases, penalties, deductions;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const ScoreChange& change : score_changes(rows[i].settings, rows[i].used, rows[i].bias)) {
      places.push_back(static_cast<int64_t>(i) * logits.size(1) + change.id);
      biases.push_back(change.bias);
      penalties.push_back(change.penalty);
      deductions.push_back(change.deduction);
    }
  }
  if (places.empty()) return logits;
  const auto on_device = [&](const auto& values) { return torch::tensor(values).to(logits.device()); };
  const torch::Tensor at = on_device(places), penalty = on_device(penalties);
  torch::Tensor scores = logits.clone(at::MemoryFormat::Contiguous);
  const torch::Tensor biased = scores.view(-1).index_select(0, at) + on_device(biases);
  const torch::Tensor penalized = torch::where(biased < 0, biased * penalty, biased / penalty);
  scores.view(-1).index_copy_(0, at, penalized - on_device(deductions));
  return scores;
}

// Of every row of `weights`, [rows, vocab].
std::vector<double> sums_of(const torch::Tensor& weights) {
  const int64_t missing = (kSummed - weights.size(1) % kSummed) % kSummed;
  const torch::Tensor padded = missing == 0 ? weights : torch::constant_pad_nd(weights, {0, missing});
  const torch::Tensor parts =
      padded.view({weights.size(0), -1, kSummed}).sum(2).to(torch::kCPU, torch::kFloat64).sum(1);
  return {parts.data_ptr<double>(), parts.data_ptr<double>() + parts.numel()};
}

int64_t candidates_needed(std::span<const SamplingRow> rows, int64_t usual, int64_t vocab) {
  int64_t needed = 1;
  for (const SamplingRow& row : rows) {
    if (row.settings.temperature > 0) needed = std::max({needed, usual, row.settings.top_k + 1});
    needed = std::max(needed, row.top_tokens);
  }
  return std::min(needed, vocab);
}

}  // namespace

std::optional<Kept> kept_by_filters(const Candidates& candidates, const SamplingSettings& settings) {
  RankedWeights& ranked = candidates.ranked;
  const bool is_partial = candidates.rest > 0;
  Kept kept{ranked.size() + (is_partial ? 1 : 0), ranked.mass_of(ranked.size()) + candidates.rest};
  const auto top_k = static_cast<size_t>(settings.top_k);
  if (top_k > 0 && (top_k < ranked.size() || is_partial)) {
    if (top_k > ranked.size()) return std::nullopt;
    kept.count = ranked.count_at_least(ranked.weight_at(top_k - 1));
    if (is_partial && kept.count == ranked.size()) return std::nullopt;
    kept.mass = ranked.mass_of(kept.count);
  }
  if (settings.top_p < 1) {
    const std::optional<size_t> count = count_below(candidates, settings.top_p * kept.mass, kept.count);
    if (!count) return std::nullopt;
    kept.count = *count;
  }
  if (settings.min_p > 0) {
    const size_t count = ranked.count_at_least(static_cast<float>(settings.min_p));
    if (is_partial && count == ranked.size() && kept.count > count) return std::nullopt;
    kept.count = std::min(kept.count, count);
  }
  if (kept.count <= ranked.size()) kept.mass = ranked.mass_of(kept.count);
  return kept;
}

std::optional<size_t> draw_rank(const Candidates& candidates, const SamplingSettings& settings, double draw) {
  const std::optional<Kept> kept = kept_by_filters(candidates, settings);
  if (!kept) return std::nullopt;
  const size_t count = candidates.ranked.count_above(draw * kept->mass);
  if (count > candidates.ranked.size() && kept->count > candidates.ranked.size()) return std::nullopt;
  size_t rank = std::min(count, kept->count) - 1;
  // Rounding may lead past the end, to tokens that weigh nothing.
  while (rank > 0 && candidates.ranked.weight_at(rank) == 0) --rank;
  return rank;
}

DeviceCandidates::DeviceCandidates(const torch::Tensor& logits, std::span<const SamplingRow> rows,
                                   int64_t count)
    : count_(candidates_needed(rows, count, logits.size(1))), is_partial_(count_ < logits.size(1)) {
  const torch::Tensor scores = changed_scores(logits, rows);
  // Of equal scores argmax takes the first, topk any.
  const torch::Tensor ids =
      count_ == 1 ? scores.argmax(1, true) : std::get<1>(torch::topk(scores, count_, 1));  // [rows, count]
  const torch::Tensor values = scores.gather(1, ids);
  const torch::Tensor scales = column_of(rows, logits.device(), [](const SamplingSettings& settings) {
    return settings.temperature > 0 ? 1 / settings.temperature : 1;
  });
  masses_ = sums_of((scores - values.slice(1, 0, 1)).mul_(scales).exp_());
  const torch::Tensor best_logit = logits.amax(1, true);
  sums_ = sums_of((logits - best_logit).exp_());
  // Ids of a vocabulary below 2^24 are exact as float32.
  CUSET_CHECK(logits.size(1) < (1 << 24), "a vocabulary of {}", logits.size(1));
  found_ = torch::cat({values, logits.gather(1, ids), ids.to(torch::kFloat32), best_logit}, 1).cpu();
}

std::vector<DeviceCandidates::Candidate> DeviceCandidates::candidates_of(size_t row) const {
  const float* scores = found_.data_ptr<float>() + static_cast<int64_t>(row) * found_.size(1);
  std::vector<Candidate> candidates;
  for (int64_t i = 0; i < count_; ++i) {
    candidates.push_back({scores[i], scores[count_ + i], static_cast<int64_t>(scores[2 * count_ + i])});
  }
  for (auto run = candidates.begin(); run != candidates.end();) {
    const auto end = std::find_if(run, candidates.end(),
                                  [&](const Candidate& other) { return other.score != run->score; });
    if (end - run > 1) {
      std::sort(run, end, [](const Candidate& a, const Candidate& b) { return a.id < b.id; });
    }
    run = end;
  }
  return candidates;
}

SampledToken DeviceCandidates::token_of(size_t row, const Candidate& candidate, double temperature) const {
  const float best = found_.data_ptr<float>()[static_cast<int64_t>(row + 1) * found_.size(1) - 1];
  const double below = double{candidate.logit} - double{best};
  // Where nothing changes the scores, they are the logits and their masses those of the unfiltered distribution.
  const double scaled = below / (temperature > 0 ? temperature : 1) - std::log(masses_[row]);
  return {.id = candidate.id,
          .confidence = std::exp(below) / sums_[row],
          .log_probability = static_cast<float>(scaled)};
}

std::optional<SampledToken> DeviceCandidates::sample(size_t row, const SamplingRow& wanted) const {
  const bool has_changes = counts_tokens(wanted.settings) || !wanted.bias.empty();
  if (wanted.wants_log_probability && has_changes) return std::nullopt;
  const std::vector<Candidate> candidates = candidates_of(row);
  std::optional<SampledToken> token = choose(row, wanted, candidates);
  const auto top = static_cast<size_t>(std::min(wanted.top_tokens, count_));
  for (size_t i = 0; token && i < top; ++i) {
    const SampledToken other = token_of(row, candidates[i], wanted.settings.temperature);
    token->top.push_back({other.id, other.log_probability});
  }
  return token;
}

std::optional<SampledToken> DeviceCandidates::choose(size_t row, const SamplingRow& wanted,
                                                     std::vector<Candidate> candidates) const {
  const double temperature = wanted.settings.temperature;
  if (temperature == 0) return token_of(row, candidates.front(), temperature);
  // Others may score as much as the last one, and belong between its equals.
  if (is_partial_) {
    const float last = candidates.back().score;
    std::erase_if(candidates, [last](const Candidate& candidate) { return candidate.score == last; });
    if (candidates.empty()) return std::nullopt;
  }
  std::vector<float> weights;
  double mass = 0;
  for (const Candidate& candidate : candidates) {
    const double below = double{candidate.score} - double{candidates.front().score};
    weights.push_back(static_cast<float>(std::exp(below / temperature)));
    mass += weights.back();
  }
  RankedWeights ranked(weights);
  const double rest = is_partial_ ? std::max(0.0, masses_[row] - mass) : 0;
  const std::optional<size_t> rank = draw_rank({ranked, rest}, wanted.settings, wanted.draw);
  if (!rank) return std::nullopt;
  return token_of(row, candidates[ranked.index_at(*rank)], temperature);
}

}  // namespace cuset::generate
