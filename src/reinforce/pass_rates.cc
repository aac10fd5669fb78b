#include "reinforce/pass_rates.h"

#include <algorithm>

#include "base/error.h"
#include "base/json/jsonl.h"

namespace cuset::reinforce {

std::map<std::string, double> read_pass_rates(const std::filesystem::path& path) {
  const bool is_folder = std::filesystem::is_directory(path);
  base::JsonlReader reader(is_folder ? path / "verdicts.jsonl" : path);
  struct Count {
    double correct = 0;
    double judged = 0;
  };
  std::map<std::string, Count> counts;
  while (std::optional<base::Json> line = reader.next()) {
    line->erase("answer");  // the file's own
    const judge::Verdict verdict = judge::verdict_from_json(*line, reader.place());
    if (!judge::is_verdict(verdict.outcome)) continue;
    Count& count = counts[verdict.task];
    ++count.judged;
    if (verdict.outcome == judge::Outcome::kCorrect) ++count.correct;
  }
  std::map<std::string, double> rates;
  for (const auto& [task, count] : counts) rates[task] = count.correct / count.judged;
  return rates;
}

PromptsByPassRate choose_by_pass_rate(std::vector<TaskPrompt> prompts,
                                      const std::map<std::string, double>& rates, PassRateRange range) {
  PromptsByPassRate chosen;
  const auto rate_of = [&](const TaskPrompt& prompt) { return rates.at(prompt.task->id); };
  for (TaskPrompt& prompt : prompts) {
    if (!rates.contains(prompt.task->id)) {
      ++chosen.unknown;
    } else if (rate_of(prompt) > range.most) {
      ++chosen.easier;
    } else if (rate_of(prompt) < range.least) {
      ++chosen.harder;
    } else {
      chosen.prompts.push_back(std::move(prompt));
    }
  }
  std::stable_sort(chosen.prompts.begin(), chosen.prompts.end(),
                   [&](const TaskPrompt& a, const TaskPrompt& b) { return rate_of(a) > rate_of(b); });
  return chosen;
}

}  // namespace cuset::reinforce
