#include "curate/endpoint/endpoint_sampler.h"

#include <xxhash.h>

#include <atomic>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/machine/worker_pool.h"
#include "base/net/chat_endpoint.h"
#include "base/progress.h"
#include "base/stats/random.h"

namespace cuset::curate {
namespace {

constexpr int kFailuresInARow = 20;

base::ChatEndpointOptions chat_options(const EndpointOptions& options) {
  return {.url = options.url,
          .key = options.key,
          .retries = options.retries,
          .timeout = options.timeout,
          .backoff = options.backoff};
}

class EndpointSampler {
 public:
  EndpointSampler(const EndpointOptions& options, const SamplingRun& run)
      : options_(options), run_(run), writer_(run.file), known_(read_sampled_answers(run.file)) {}

  bool ask(const std::vector<WantedSample>& wanted);

 private:
  void ask_one(const WantedSample& wanted);
  base::Json body_of(const WantedSample& wanted) const;
  void record(const WantedSample& wanted, const SampledAnswer& answer);
  void give_up_after_many(const SampledAnswer& answer);

  const EndpointOptions& options_;
  const SamplingRun& run_;
  base::JsonlWriter writer_;
  std::map<SampleKey, SampledAnswer> known_;
  std::optional<base::ChatEndpoint> endpoint_;
  std::optional<base::Progress> progress_;
  std::atomic<int> failures_in_a_row_ = 0;
  std::atomic<int64_t> answers_ = 0;
  std::atomic<int64_t> failures_ = 0;
};

bool EndpointSampler::ask(const std::vector<WantedSample>& wanted) {
  std::vector<const WantedSample*> open;
  for (const WantedSample& sample : wanted) {
    const auto found = known_.find(sample.key);
    if (found == known_.end() || !found->second.failed.empty()) open.push_back(&sample);
  }
  if (open.empty()) return true;
  endpoint_.emplace(chat_options(options_));
  progress_.emplace(base::ProgressOptions{
      .title = run_.name, .total = wanted.size(), .unit = "answers", .done = wanted.size() - open.size()});
  const base::WorkerPool pool{.threads = static_cast<size_t>(options_.parallel), .stops_at_interrupt = true};
  pool.run(open.size(), [&](size_t i) { ask_one(*open[i]); });
  if (base::is_interrupt_requested()) return false;
  progress_->finish();
  if (answers_ == 0 && open.size() == wanted.size())
    throw base::Error("sources.{}: none of {} requests to {} was answered", run_.name, open.size(),
                      options_.url)
        .with_remedy("{} says why; the same command asks again", run_.file.string());
  return true;
}

void EndpointSampler::ask_one(const WantedSample& wanted) {
  using Kind = base::ChatResult::Kind;
  base::ChatResult result =
      endpoint_->ask(body_of(wanted), base::RandomStream(0, "curate/endpoint").child(wanted.key.task));
  if (result.kind == Kind::kInterrupted) return;
  if (result.kind == Kind::kRefusedAll)
    throw base::Error("sources.{}: {} refuses requests, {}", run_.name, options_.url, result.failed)
        .with_remedy("check url, model and the variable {}", options_.key.empty() ? "for key" : options_.key);
  record(wanted, {.reply = std::move(result.reply),
                  .failed = std::move(result.failed),
                  .retries = std::move(result.retries)});
}

base::Json EndpointSampler::body_of(const WantedSample& wanted) const {
  base::Json body = sampling_settings(options_);
  body.erase("url");
  body.erase("system");
  base::Json messages = base::Json::array();
  if (!options_.system.empty()) messages.push_back({{"role", "system"}, {"content", options_.system}});
  messages.push_back({{"role", "user"}, {"content", wanted.prompt}});
  body["messages"] = std::move(messages);
  // With one seed for all, the samples of a task would be the same text.
  if (options_.seed >= 0) body["seed"] = options_.seed + wanted.key.sample;
  return body;
}

void EndpointSampler::record(const WantedSample& wanted, const SampledAnswer& answer) {
  writer_.append(json_of(wanted.key, answer));
  writer_.flush();
  progress_->add();
  if (answer.failed.empty()) {
    ++answers_;
    failures_in_a_row_ = 0;
  } else {
    progress_->set_note(fmt::format("{} failed", ++failures_));
    give_up_after_many(answer);
  }
}

void EndpointSampler::give_up_after_many(const SampledAnswer& answer) {
  if (++failures_in_a_row_ < kFailuresInARow) return;
  throw base::Error("sources.{}: {} requests to {} in a row failed, the last one with {}", run_.name,
                    kFailuresInARow, options_.url, answer.failed)
      .with_remedy("the answers so far are kept; the same command resumes");
}

}  // namespace

std::string prompt_hash(const std::string& prompt) {
  const XXH128_hash_t hash = XXH3_128bits(prompt.data(), prompt.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

base::Json sampling_settings(const EndpointOptions& options) {
  base::Json settings = {{"url", options.url}, {"model", options.model}};
  if (options.temperature >= 0) settings["temperature"] = options.temperature;
  if (options.top_p >= 0) settings["top_p"] = options.top_p;
  if (options.max_tokens > 0) settings[options.max_tokens_key] = options.max_tokens;
  if (options.seed >= 0) settings["seed"] = options.seed;
  if (!options.reasoning_effort.empty()) settings["reasoning_effort"] = options.reasoning_effort;
  if (!options.system.empty()) settings["system"] = options.system;
  return settings;
}

bool sample_endpoint(const EndpointOptions& options, const std::vector<WantedSample>& wanted,
                     const SamplingRun& run) {
  return EndpointSampler(options, run).ask(wanted);
}

}  // namespace cuset::curate
