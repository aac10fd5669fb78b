// What an endpoint answered, as a file that only grows, so that nothing that was paid for is lost or asked again:
//
//   {"task", "sample", "prompt", "text", "finish", "prompt_tokens", "completion_tokens", "reasoning_tokens", "retries"}
//   {"task", "sample", "prompt", "failed": "http_400: ...", "retries": {"http_429": 2}}
//
// `prompt` is a hash of the messages: a task whose prompt changed is asked again. `retries` counts the attempts that
// gave nothing, by reason. A line with `failed` is no answer: the next run asks again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "base/json/json.h"
#include "base/net/chat_reply.h"
#include "curate/plan/plan.h"

namespace cuset::curate {

// One sample that is wanted of an endpoint.
struct SampleKey {
  std::string task;
  int64_t sample = 0;
  std::string prompt;  // hash

  friend auto operator<=>(const SampleKey&, const SampleKey&) = default;
};

struct SampledAnswer {
  base::ChatReply reply;
  std::string failed;  // empty: the reply is there
  std::map<std::string, int64_t> retries = {};
  std::string place = {};  // "file:line"
};

base::Json json_of(const SampleKey& key, const SampledAnswer& answer);

struct EndpointUsage {
  int64_t answers = 0;
  int64_t failed = 0;         // requests that were given up and have no answer since
  int64_t without_usage = 0;  // answers whose tokens the endpoint did not tell
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;
  int64_t reasoning_tokens = 0;
  std::map<std::string, int64_t> retries = {};

  // By the prices of the options, of a million tokens.
  double cost(const EndpointOptions& options) const;
};

// The lines of `file`, the last one of a key: an answer stays where a failure follows it. No file: none. Throws Error
// for a damaged line that is not the last one.
std::map<SampleKey, SampledAnswer> read_sampled_answers(const std::filesystem::path& file);
// "250 answers of NAME, 3 requests failed, 12 attempts repeated (http_429 12), 51,000 + 820,000 tokens, cost 1.23".
std::string usage_line(const EndpointUsage& usage, const EndpointOptions& options);
EndpointUsage usage_of(const std::map<SampleKey, SampledAnswer>& answers);

}  // namespace cuset::curate
