#include "curate/stages/verified_rows.h"

#include <xxhash.h>

#include <set>

namespace cuset::curate {
namespace {

// Samples get their number from their text, so that rows which come or go change no other's. Within one task two texts
// of one number would need about 65,000 answers.
uint32_t sample_number(const std::string& text) {
  return static_cast<uint32_t>(XXH3_64bits(text.data(), text.size())) & 0x7fffffff;
}

using AnswerKey = std::pair<std::string, uint32_t>;

}  // namespace

VerifiedRows verify_rows(std::span<const uint32_t> rows, const std::function<Row(uint32_t)>& row_of,
                         const TaskCatalog& catalog, const std::filesystem::path& folder, judge::Judge& judge,
                         int workers) {
  judge::VerificationPlan plan;
  plan.folder = folder;
  plan.tasks = catalog.all();
  plan.workers = workers;
  plan.about = {{"command", "curate"}};
  std::map<uint32_t, AnswerKey> key_of_row;
  std::set<AnswerKey> known;
  for (const uint32_t number : rows) {
    Row row = row_of(number);
    const AnswerKey key = {row.task, sample_number(row.response())};
    key_of_row[number] = key;
    if (known.insert(key).second)
      plan.answers.push_back(
          {row.task, key.second, row.response(), row.tokens, row.place, row.reasoning_tokens});
  }
  base::Progress progress({.title = "verify", .unit = "answers"});
  std::map<AnswerKey, judge::Verdict> verdicts;
  for (judge::Verdict& verdict : judge::verify_all(plan, judge, progress)) {
    const AnswerKey key = {verdict.task, verdict.sample};
    verdicts.emplace(key, std::move(verdict));
  }
  progress.finish();
  VerifiedRows result;
  result.is_complete = verdicts.size() == plan.answers.size();
  for (const auto& [row, key] : key_of_row)
    if (const auto found = verdicts.find(key); found != verdicts.end())
      result.verdicts.emplace(row, found->second);
  return result;
}

}  // namespace cuset::curate
