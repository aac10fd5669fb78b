#include "curate/run/collector.h"

#include "base/interrupt.h"

namespace cuset::curate {
namespace {

constexpr size_t kNormalizedAtATime = 4096;

}  // namespace

void stop_if_interrupted() {
  if (base::is_interrupt_requested()) throw StageInterrupted();
}

Collector::Collector(const CurationPlan& plan, int workers, const std::filesystem::path& folder)
    : plan_(plan),
      pool_{.threads = static_cast<size_t>(workers)},
      writer_(folder),
      refused_(folder / "refused.jsonl"),
      progress_({.title = "sources", .unit = "rows"}) {}

void Collector::take(Row row) {
  pending_.push_back(std::move(row));
  if (pending_.size() >= kNormalizedAtATime) normalize_pending();
}

void Collector::refuse(const std::string& source, const std::string& place, const Rejection& rejection) {
  const base::Json record = {
      {"source", source}, {"place", place}, {"reason", rejection.reason}, {"detail", rejection.detail}};
  refused_.write(base::to_json_line(record) + "\n");
}

StageResult Collector::finish() {
  normalize_pending();
  writer_.commit();
  refused_.commit();
  progress_.finish();
  return std::move(result_);
}

void Collector::normalize_pending() {
  stop_if_interrupted();
  std::vector<Fingerprint> prints(pending_.size());
  std::vector<std::optional<Rejection>> rejections(pending_.size());
  pool_.run(pending_.size(), [&](size_t i) { rejections[i] = normalize(pending_[i], prints[i]); });
  for (size_t i = 0; i < pending_.size(); ++i) {
    if (rejections[i])
      result_.rejected.emplace(static_cast<uint32_t>(writer_.size()), std::move(*rejections[i]));
    writer_.add(pending_[i], prints[i]);
  }
  progress_.add(pending_.size());
  pending_.clear();
}

std::optional<Rejection> Collector::normalize(const Row& row, Fingerprint& print) const {
  const auto size = static_cast<int64_t>(row.response().size());
  if (size > plan_.normalize.max_bytes)
    return Rejection{"normalize", "too_long",
                     fmt::format("{} bytes, {} allowed", size, plan_.normalize.max_bytes)};
  const std::string program = row.program();
  if (program.empty()) return Rejection{"normalize", "no_code", "the response holds no program"};
  const std::vector<CodeToken> tokens = normalized_tokens(program);
  const auto count = static_cast<int64_t>(tokens.size());
  if (count < plan_.normalize.min_tokens)
    return Rejection{"normalize", "too_short",
                     fmt::format("{} CUDA tokens, {} needed", count, plan_.normalize.min_tokens)};
  print = fingerprint_of(program, tokens, row.task, static_cast<size_t>(plan_.duplicates.run));
  return std::nullopt;
}

}  // namespace cuset::curate
