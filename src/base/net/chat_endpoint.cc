#include "base/net/chat_endpoint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"

namespace cuset::base {
namespace {

constexpr double kLongestWait = 60;        // seconds between attempts
constexpr double kLongestAskedWait = 600;  // that Retry-After can ask for

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
  while (Clock::now() < end && !is_interrupt_requested())
    std::this_thread::sleep_for(
        std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(100)));
}

std::string key_from_environment(const ChatEndpointOptions& options) {
  if (options.key.empty()) return "";
  const char* value = std::getenv(options.key.c_str());
  if (value == nullptr || *value == '\0')
    throw Error("the environment variable {} is not set", options.key)
        .with_remedy("put the key of {} into it", options.url);
  const std::string key = value;
  if (key.find_first_of("\r\n") != std::string::npos)
    throw Error("the environment variable {} holds more than one line", options.key)
        .with_remedy("put the key alone into it");
  return key;
}

}  // namespace

struct ChatEndpoint::Attempt {
  enum class Kind { kAnswered, kRetry, kRefused, kRefusedAll, kInterrupted };
  Kind kind = Kind::kRetry;
  ChatReply reply = {};
  std::string reason = {};  // "http_429", "timeout", "connection", "broken_reply", "unusable_reply"
  std::string detail = {};
  double asked_wait = 0;  // seconds
};

ChatEndpoint::ChatEndpoint(ChatEndpointOptions options)
    : options_(std::move(options)), key_(key_from_environment(options_)) {}

ChatResult ChatEndpoint::ask(const Json& body, RandomStream waits, const Complaint& complaint) {
  const std::string text = to_json_line(body);
  ChatResult result;
  for (int64_t attempt = 0;; ++attempt) {
    Attempt made = try_once(text, complaint);
    if (made.kind == Attempt::Kind::kAnswered) {
      // Also where it came with an interrupt.
      result.kind = ChatResult::Kind::kAnswered;
      result.reply = std::move(made.reply);
      result.failed.clear();
      return result;
    }
    if (made.kind == Attempt::Kind::kInterrupted || is_interrupt_requested()) break;
    ++result.retries[made.reason];
    result.failed = fmt::format("{}: {}", made.reason, made.detail);
    result.kind = ChatResult::Kind::kGivenUp;
    if (made.kind == Attempt::Kind::kRefused) result.kind = ChatResult::Kind::kRefused;
    if (made.kind == Attempt::Kind::kRefusedAll) result.kind = ChatResult::Kind::kRefusedAll;
    if (made.kind != Attempt::Kind::kRetry || attempt >= options_.retries) return result;
    wait_seconds(wait_before(attempt, made.asked_wait, waits));
    if (is_interrupt_requested()) break;
  }
  result.kind = ChatResult::Kind::kInterrupted;
  return result;
}

double ChatEndpoint::wait_before(int64_t attempt, double asked_wait, RandomStream& waits) const {
  if (asked_wait > 0) return std::min(asked_wait, kLongestAskedWait);
  const double doubled =
      options_.backoff * std::pow(2.0, static_cast<double>(std::min<int64_t>(attempt, 20)));
  // Half of it at random, so that many requests that failed together do not come back together.
  return std::min(doubled, kLongestWait) * (0.5 + 0.5 * waits.uniform());
}

ChatEndpoint::Attempt ChatEndpoint::try_once(const std::string& body, const Complaint& complaint) {
  HttpRequest request;
  request.url = options_.url + "/chat/completions";
  request.headers = {"Content-Type: application/json"};
  if (!key_.empty()) request.headers.push_back("Authorization: Bearer " + key_);
  request.body = body;
  request.time_limit = std::chrono::milliseconds(static_cast<int64_t>(options_.timeout * 1000));
  return judge_reply(client_.post(request), complaint);
}

ChatEndpoint::Attempt ChatEndpoint::judge_reply(const HttpReply& reply, const Complaint& complaint) const {
  using Failure = HttpReply::Failure;
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
    if (concerns_every_request(reply.status)) made.kind = Attempt::Kind::kRefusedAll;
  } else {
    std::variant<ChatReply, std::string> parsed = parse_chat_reply(reply.body);
    if (auto* answer = std::get_if<ChatReply>(&parsed)) {
      made.reply = std::move(*answer);
      made.reply.text = without_key(std::move(made.reply.text));
      if (complaint) made.detail = complaint(made.reply);
      made.reason = "unusable_reply";
      if (made.detail.empty()) made.kind = Attempt::Kind::kAnswered;
    } else {
      made.reason = "broken_reply";
      made.detail = without_key(std::get<std::string>(parsed));
    }
  }
  return made;
}

std::string ChatEndpoint::without_key(std::string text) const {
  // "none" and the like for servers that ask for no key are no secrets, and may well be words of an answer.
  constexpr size_t kShortestSecret = 8;
  if (key_.size() < kShortestSecret) return text;
  constexpr std::string_view kInstead = "(key)";
  for (size_t at = text.find(key_); at != std::string::npos; at = text.find(key_, at + kInstead.size()))
    text.replace(at, key_.size(), kInstead);
  return text;
}

}  // namespace cuset::base
