#include "generate/score_changes.h"

namespace cuset::generate {

bool counts_tokens(const SamplingSettings& settings) {
  return settings.repetition_penalty != 1 || settings.presence_penalty != 0 ||
         settings.frequency_penalty != 0;
}

std::vector<ScoreChange> score_changes(const SamplingSettings& settings, std::span<const UsedToken> used,
                                       std::span<const TokenBias> bias) {
  std::vector<ScoreChange> changes;
  std::unordered_map<int64_t, size_t> places;
  for (const TokenBias& token : bias) {
    places[token.id] = changes.size();
    changes.push_back({.id = token.id, .bias = token.bias});
  }
  if (!counts_tokens(settings)) return changes;
  const auto penalty = static_cast<float>(settings.repetition_penalty);
  for (const UsedToken& token : used) {
    const double deduction = settings.frequency_penalty * static_cast<double>(token.times) +
                             (token.times > 0 ? settings.presence_penalty : 0);
    if (penalty == 1 && deduction == 0) continue;
    ScoreChange change{.id = token.id, .penalty = penalty, .deduction = static_cast<float>(deduction)};
    if (const auto place = places.find(token.id); place != places.end()) {
      change.bias = changes[place->second].bias;
      changes[place->second] = change;
    } else {
      changes.push_back(change);
    }
  }
  return changes;
}

UsedToken& TokenHistory::entry(int64_t id) {
  const auto [place, is_new] = places_.try_emplace(id, tokens_.size());
  if (is_new) tokens_.push_back({id, 0});
  return tokens_[place->second];
}

}  // namespace cuset::generate
