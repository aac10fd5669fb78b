// A client of an OpenAI-compatible endpoint: one request for a chat completion, repeated until it is answered.
//
// An attempt that gives nothing is tried again: no connection, a time-out, a reply cut off or broken, one that the
// caller cannot use, the statuses 408, 409, 425, 429 and 5xx. The wait doubles from `backoff` seconds on, with a
// random part, or is what the server asked for in Retry-After. Other refusals are not tried again; 401, 403, 404,
// 405 and redirects concern every request.
//
// The key comes from an environment variable. It is sent to the endpoint and goes nowhere else: texts from outside
// that repeat it come back without it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/json/json.h"
#include "base/net/chat_reply.h"
#include "base/net/http_client.h"
#include "base/stats/random.h"

namespace cuset::base {

struct ChatEndpointOptions {
  std::string url;       // "https://host/v1"; requests go to URL/chat/completions
  std::string key;       // name of the environment variable that holds the key; empty: none is sent
  int64_t retries = 6;   // of a request, after the first attempt
  double timeout = 600;  // seconds of an attempt
  double backoff = 1;    // seconds before the first retry; doubled with each
};

// What became of a request.
struct ChatResult {
  enum class Kind {
    kAnswered,
    kGivenUp,      // every attempt failed
    kRefused,      // this request; another may be answered
    kRefusedAll,   // every request would be refused: a wrong key, model or address
    kInterrupted,  // the program was asked to stop (base/interrupt.h)
  };
  Kind kind = Kind::kInterrupted;
  ChatReply reply = {};
  std::string failed = {};  // "http_429: slow down": of the last attempt, where none was answered
  std::map<std::string, int64_t> retries = {};  // attempts that gave nothing, by reason
};

class ChatEndpoint {
 public:
  // What is wrong with a reply, so that it is asked for again; empty: nothing.
  using Complaint = std::function<std::string(const ChatReply&)>;

  // Throws Error where the key's variable is not set, or requests cannot be sent (base/net/http_client.h).
  explicit ChatEndpoint(ChatEndpointOptions options);

  // Sends `body` (model, messages and what else the server takes). Safe to call from several threads. `waits` is the
  // random part of the waits.
  ChatResult ask(const Json& body, RandomStream waits, const Complaint& complaint = nullptr);

 private:
  struct Attempt;
  Attempt try_once(const std::string& body, const Complaint& complaint);
  Attempt judge_reply(const HttpReply& reply, const Complaint& complaint) const;
  double wait_before(int64_t attempt, double asked_wait, RandomStream& waits) const;
  std::string without_key(std::string text) const;

  ChatEndpointOptions options_;
  HttpClient client_;
  std::string key_;
};

}  // namespace cuset::base
