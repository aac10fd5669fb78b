#include "curate/endpoint/sampled_answers.h"

#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"

namespace cuset::curate {
namespace {

SampledAnswer answer_from(const base::JsonCursor& line) {
  SampledAnswer answer;
  answer.place = line.source();
  answer.failed = line.get("failed").string_or("");
  if (!line.get("retries").is_absent())
    for (const auto& [reason, count] : line.get("retries").members())
      answer.retries[std::string(reason)] = count.integer(0);
  if (!answer.failed.empty()) return answer;
  answer.reply.text = line.at("text").string();
  answer.reply.finish = line.get("finish").string_or("");
  answer.reply.prompt_tokens = line.get("prompt_tokens").integer_or(-1, 0, INT64_MAX);
  answer.reply.completion_tokens = line.get("completion_tokens").integer_or(-1, 0, INT64_MAX);
  answer.reply.reasoning_tokens = line.get("reasoning_tokens").integer_or(-1, 0, INT64_MAX);
  return answer;
}

void set_count(base::Json& record, const char* key, int64_t count) {
  if (count >= 0) record[key] = count;
}

}  // namespace

base::Json json_of(const SampleKey& key, const SampledAnswer& answer) {
  base::Json record = {{"task", key.task}, {"sample", key.sample}, {"prompt", key.prompt}};
  if (!answer.failed.empty()) {
    record["failed"] = answer.failed;
  } else {
    record["text"] = answer.reply.text;
    record["finish"] = answer.reply.finish;
    set_count(record, "prompt_tokens", answer.reply.prompt_tokens);
    set_count(record, "completion_tokens", answer.reply.completion_tokens);
    set_count(record, "reasoning_tokens", answer.reply.reasoning_tokens);
  }
  if (!answer.retries.empty()) record["retries"] = answer.retries;
  return record;
}

std::map<SampleKey, SampledAnswer> read_sampled_answers(const std::filesystem::path& file) {
  std::map<SampleKey, SampledAnswer> answers;
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return answers;
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (const std::optional<base::Json> record = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor line(*record, place);
    SampleKey key{line.at("task").string(), line.at("sample").integer(0), line.at("prompt").string()};
    SampledAnswer answer = answer_from(line);
    SampledAnswer& known = answers[std::move(key)];
    // What was tried in all counts, whoever answers in the end.
    for (const auto& [reason, count] : known.retries) answer.retries[reason] += count;
    const bool keeps_known = !known.place.empty() && known.failed.empty() && !answer.failed.empty();
    if (keeps_known) {
      known.retries = std::move(answer.retries);
    } else {
      known = std::move(answer);
    }
  }
  return answers;
}

EndpointUsage usage_of(const std::map<SampleKey, SampledAnswer>& answers) {
  EndpointUsage usage;
  for (const auto& [key, answer] : answers) {
    for (const auto& [reason, count] : answer.retries) usage.retries[reason] += count;
    if (!answer.failed.empty()) {
      ++usage.failed;
      continue;
    }
    ++usage.answers;
    if (answer.reply.completion_tokens < 0) ++usage.without_usage;
    usage.prompt_tokens += std::max<int64_t>(answer.reply.prompt_tokens, 0);
    usage.completion_tokens += std::max<int64_t>(answer.reply.completion_tokens, 0);
    usage.reasoning_tokens += std::max<int64_t>(answer.reply.reasoning_tokens, 0);
  }
  return usage;
}

std::string usage_line(const EndpointUsage& usage, const EndpointOptions& options) {
  std::vector<std::string> retries;
  for (const auto& [reason, count] : usage.retries) retries.push_back(fmt::format("{} {}", reason, count));
  std::string line = fmt::format("{} answers of {}", usage.answers, options.model);
  if (usage.failed > 0) line += fmt::format(", {} requests failed", usage.failed);
  if (!retries.empty()) line += fmt::format(", attempts that gave nothing: {}", fmt::join(retries, ", "));
  line += fmt::format(", {} tokens of prompts, {} of answers ({} of them reasoning)", usage.prompt_tokens,
                      usage.completion_tokens, usage.reasoning_tokens);
  if (usage.without_usage > 0) line += fmt::format(", {} answers of unknown length", usage.without_usage);
  if (options.price_in > 0 || options.price_out > 0)
    line += fmt::format(", cost {:.4f}", usage.cost(options));
  return line;
}

double EndpointUsage::cost(const EndpointOptions& options) const {
  return (static_cast<double>(prompt_tokens) * options.price_in +
          static_cast<double>(completion_tokens) * options.price_out) /
         1e6;
}

}  // namespace cuset::curate
