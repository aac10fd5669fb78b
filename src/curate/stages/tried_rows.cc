#include "curate/stages/tried_rows.h"

#include <xxhash.h>

#include <mutex>

#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/machine/worker_pool.h"

namespace cuset::curate {
namespace {

std::string text_hash(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

base::Json json_of(const std::string& program, const TrialResult& result) {
  base::Json record = {{"program", program}, {"how", result.how}};
  if (!result.reason.empty()) record["reason"] = result.reason;
  if (!result.detail.empty()) record["detail"] = result.detail;
  if (!result.prompt.empty()) record["prompt"] = result.prompt;
  if (!result.proposal_fault.empty()) record["proposal_fault"] = result.proposal_fault;
  return record;
}

std::map<std::string, TrialResult> read_trials(const std::filesystem::path& file) {
  std::map<std::string, TrialResult> known;
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (const std::optional<base::Json> record = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor line(*record, place);
    TrialResult& result = known[line.at("program").string()];
    result.how = line.get("how").string_or("");
    result.reason = line.get("reason").string_or("");
    result.detail = line.get("detail").string_or("");
    result.prompt = line.get("prompt").string_or("");
    result.proposal_fault = line.get("proposal_fault").string_or("");
  }
  return known;
}

void warn_of_proposals(const std::map<std::string, TrialResult>& known) {
  size_t count = 0;
  std::string first;
  for (const auto& [program, result] : known) {
    if (result.proposal_fault.empty()) continue;
    if (++count == 1) first = result.proposal_fault;
  }
  if (count > 0)
    base::log_warning("verify.propose: {} proposals were of no use, and inputs were guessed; the first: {}",
                      count, first);
}

}  // namespace

TriedRows try_rows(std::span<const uint32_t> rows, const std::function<Row(uint32_t)>& row_of,
                   execute::Executor& executor, const TrialRun& run) {
  base::JsonlWriter writer(run.file);
  std::map<std::string, TrialResult> known = read_trials(run.file);
  std::map<uint32_t, std::string> hash_of_row;
  std::map<std::string, uint32_t> open;
  for (const uint32_t row : rows) {
    const std::string hash = text_hash(row_of(row).program());
    hash_of_row[row] = hash;
    if (!known.contains(hash)) open.emplace(hash, row);
  }
  const std::vector<std::pair<std::string, uint32_t>> work(open.begin(), open.end());
  base::Progress progress({.title = "try", .total = work.size(), .unit = "programs"});
  const base::WorkerPool pool{.threads = static_cast<size_t>(run.workers), .stops_at_interrupt = true};
  std::mutex mutex;
  pool.run(work.size(), [&](size_t i) {
    TrialResult result = try_program(executor, row_of(work[i].second).program(), run.options);
    if (result.is_interrupted) return;
    writer.append(json_of(work[i].first, result));
    progress.add();
    const std::lock_guard lock(mutex);
    known[work[i].first] = std::move(result);
  });
  TriedRows tried;
  tried.is_complete = !base::is_interrupt_requested();
  if (!tried.is_complete) return tried;
  progress.finish();
  writer.flush();
  warn_of_proposals(known);
  for (const auto& [row, hash] : hash_of_row) tried.results.emplace(row, known.at(hash));
  return tried;
}

}  // namespace cuset::curate
