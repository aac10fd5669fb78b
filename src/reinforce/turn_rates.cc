#include "reinforce/turn_rates.h"

#include <algorithm>

namespace cuset::reinforce {

std::vector<judge::Verdict> verdicts_after(std::span<const Conversation> conversations, int64_t turn) {
  std::vector<judge::Verdict> verdicts;
  for (const Conversation& conversation : conversations) {
    const int64_t done = std::min(turn, std::ssize(conversation.turns));
    int64_t tokens = 0;
    for (int64_t i = 0; i < done; ++i) tokens += conversation.turns[static_cast<size_t>(i)].tokens;
    verdicts.push_back(conversation.turns.at(static_cast<size_t>(done) - 1).verdict);
    verdicts.back().tokens = tokens;
  }
  return verdicts;
}

std::vector<TurnRates> rates_by_turn(std::span<const Conversation> conversations, int64_t turns) {
  std::vector<TurnRates> rates;
  for (int64_t turn = 1; turn <= turns; ++turn) {
    TurnRates of_turn;
    if (!rates.empty()) of_turn = rates.back();
    of_turn.turn = turn;
    of_turn.answers = 0;
    for (const Conversation& conversation : conversations) {
      if (std::ssize(conversation.turns) < turn) continue;
      const Turn& answered = conversation.turns[static_cast<size_t>(turn) - 1];
      ++of_turn.answers;
      of_turn.tokens += answered.tokens;
      of_turn.prompt_tokens += answered.prompt_tokens;
    }
    of_turn.after = judge::summarize(verdicts_after(conversations, turn), judge::kSummaryKs);
    rates.push_back(std::move(of_turn));
  }
  return rates;
}

std::optional<base::Estimate> gain_of_turns(std::span<const Conversation> conversations, int64_t turns) {
  return judge::function_gain(verdicts_after(conversations, 1), verdicts_after(conversations, turns));
}

base::Json json_of_rates(std::span<const Conversation> conversations, int64_t turns) {
  base::Json json = {{"turns", base::Json::array()}, {"ends", base::Json::object()}};
  for (const TurnRates& rates : rates_by_turn(conversations, turns)) {
    base::Json after = judge::json_of(rates.after);
    after.erase("median_seconds");  // of the machine, not of the answers
    json["turns"].push_back({{"turn", rates.turn},
                             {"answers", rates.answers},
                             {"tokens", rates.tokens},
                             {"prompt_tokens", rates.prompt_tokens},
                             {"after", std::move(after)}});
  }
  if (const std::optional<base::Estimate> gain = gain_of_turns(conversations, turns))
    json["gain"] = {{"value", gain->value}, {"low", gain->interval.low}, {"high", gain->interval.high}};
  std::map<std::string, size_t> ends;
  for (const Conversation& conversation : conversations) ++ends[conversation.end];
  for (const auto& [end, count] : ends) json["ends"][end] = count;
  return json;
}

}  // namespace cuset::reinforce
