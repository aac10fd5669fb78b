#include "curate/endpoint/endpoint_sampler.h"

#include <xxhash.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/machine/worker_pool.h"
#include "base/net/http_client.h"
#include "base/progress.h"
#include "base/stats/random.h"

namespace cuset::curate {
namespace {

constexpr int kFailuresInARow = 20;
constexpr double kLongestWait = 60;        // seconds between attempts
constexpr double kLongestAskedWait = 600;  // that Retry-After can ask for

// What became of one attempt.
struct Attempt {
  enum class Kind { kAnswered, kRetry, kRefused, kFatal, kInterrupted };
  Kind kind = Kind::kRetry;
  ChatReply reply = {};
  std::string reason = {};  // "http_429", "timeout", "connection", "broken_reply"
  std::string detail = {};
  double asked_wait = 0;  // seconds
};

bool is_worth_a_retry(int status) {
  return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
}

bool concerns_every_request(int status) {
  return status == 401 || status == 403 || status == 404 || status == 405 || (status >= 300 && status < 400);
}

// In pieces, so that an interrupt ends it.
void wait_seconds(double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (Clock::now() < end && !base::is_interrupt_requested())
    std::this_thread::sleep_for(
        std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(100)));
}

std::string key_from_environment(const EndpointOptions& options) {
  if (options.key.empty()) return "";
  const char* value = std::getenv(options.key.c_str());
  if (value == nullptr || *value == '\0')
    throw base::Error("the environment variable {} is not set", options.key)
        .with_remedy("put the key of {} into it", options.url);
  const std::string key = value;
  if (key.find_first_of("\r\n") != std::string::npos)
    throw base::Error("the environment variable {} holds more than one line", options.key)
        .with_remedy("put the key alone into it");
  return key;
}

class EndpointSampler {
 public:
  EndpointSampler(const EndpointOptions& options, const SamplingRun& run)
      : options_(options), run_(run), writer_(run.file), known_(read_sampled_answers(run.file)) {}

  bool ask(const std::vector<WantedSample>& wanted);

 private:
  void ask_one(const WantedSample& wanted);
  Attempt try_once(const WantedSample& wanted);
  Attempt judge_reply(const base::HttpReply& reply) const;
  std::string body_of(const WantedSample& wanted) const;
  void record(const WantedSample& wanted, const SampledAnswer& answer);
  void give_up_after_many(const SampledAnswer& answer);
  double wait_before(int attempt, const Attempt& failed, base::RandomStream& stream) const;
  std::string without_key(std::string text) const;

  const EndpointOptions& options_;
  const SamplingRun& run_;
  std::string key_;
  base::JsonlWriter writer_;
  std::map<SampleKey, SampledAnswer> known_;
  std::optional<base::HttpClient> client_;
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
  client_.emplace();
  key_ = key_from_environment(options_);
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
  SampledAnswer answer;
  base::RandomStream stream = base::RandomStream(0, "curate/endpoint").child(wanted.key.task);
  for (int attempt = 0;; ++attempt) {
    Attempt made = try_once(wanted);
    if (made.kind == Attempt::Kind::kInterrupted || base::is_interrupt_requested()) {
      // An answer that came with the interrupt is kept all the same.
      if (made.kind != Attempt::Kind::kAnswered) return;
    }
    if (made.kind == Attempt::Kind::kAnswered) {
      answer.reply = std::move(made.reply);
      return record(wanted, answer);
    }
    ++answer.retries[made.reason];
    answer.failed = fmt::format("{}: {}", made.reason, made.detail);
    if (made.kind == Attempt::Kind::kFatal)
      throw base::Error("sources.{}: {} refuses requests, {}", run_.name, options_.url, answer.failed)
          .with_remedy("check url, model and the variable {}",
                       options_.key.empty() ? "for key" : options_.key);
    if (made.kind == Attempt::Kind::kRefused || attempt >= options_.retries) return record(wanted, answer);
    wait_seconds(wait_before(attempt, made, stream));
    if (base::is_interrupt_requested()) return;
    answer.failed.clear();
  }
}

double EndpointSampler::wait_before(int attempt, const Attempt& failed, base::RandomStream& stream) const {
  if (failed.asked_wait > 0) return std::min(failed.asked_wait, kLongestAskedWait);
  const double doubled = options_.backoff * std::pow(2.0, std::min(attempt, 20));
  // Half of it at random, so that many requests that failed together do not come back together.
  return std::min(doubled, kLongestWait) * (0.5 + 0.5 * stream.uniform());
}

Attempt EndpointSampler::try_once(const WantedSample& wanted) {
  base::HttpRequest request;
  request.url = options_.url + "/chat/completions";
  request.headers = {"Content-Type: application/json"};
  if (!key_.empty()) request.headers.push_back("Authorization: Bearer " + key_);
  request.body = body_of(wanted);
  request.time_limit = std::chrono::milliseconds(static_cast<int64_t>(options_.timeout * 1000));
  return judge_reply(client_->post(request));
}

Attempt EndpointSampler::judge_reply(const base::HttpReply& reply) const {
  using Failure = base::HttpReply::Failure;
  Attempt made;
  made.asked_wait = static_cast<double>(reply.retry_after.count());
  made.detail = without_key(reply.explanation);
  if (reply.failure == Failure::kInterrupted) {
    made.kind = Attempt::Kind::kInterrupted;
  } else if (reply.failure != Failure::kNone) {
    made.reason = reply.failure == Failure::kTimeout ? "timeout" : "connection";
    if (reply.failure == Failure::kTooLarge) made.reason = "too_large";
  } else if (reply.status != 200) {
    made.reason = fmt::format("http_{}", reply.status);
    made.detail = error_in_reply(without_key(reply.body));
    if (!is_worth_a_retry(reply.status)) made.kind = Attempt::Kind::kRefused;
    if (concerns_every_request(reply.status)) made.kind = Attempt::Kind::kFatal;
  } else {
    std::variant<ChatReply, std::string> parsed = parse_chat_reply(reply.body);
    if (auto* answer = std::get_if<ChatReply>(&parsed)) {
      made.kind = Attempt::Kind::kAnswered;
      made.reply = std::move(*answer);
      made.reply.text = without_key(std::move(made.reply.text));
    } else {
      made.reason = "broken_reply";
      made.detail = without_key(std::get<std::string>(parsed));
    }
  }
  return made;
}

std::string EndpointSampler::body_of(const WantedSample& wanted) const {
  base::Json body = sampling_settings(options_);
  body.erase("url");
  body.erase("system");
  base::Json messages = base::Json::array();
  if (!options_.system.empty()) messages.push_back({{"role", "system"}, {"content", options_.system}});
  messages.push_back({{"role", "user"}, {"content", wanted.prompt}});
  body["messages"] = std::move(messages);
  // With one seed for all, the samples of a task would be the same text.
  if (options_.seed >= 0) body["seed"] = options_.seed + wanted.key.sample;
  return base::to_json_line(body);
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

std::string EndpointSampler::without_key(std::string text) const {
  // "none" and the like for servers that ask for no key are no secrets, and may well be words of an answer.
  constexpr size_t kShortestSecret = 8;
  if (key_.size() < kShortestSecret) return text;
  constexpr std::string_view kInstead = "(key)";
  for (size_t at = text.find(key_); at != std::string::npos; at = text.find(key_, at + kInstead.size()))
    text.replace(at, key_.size(), kInstead);
  return text;
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
