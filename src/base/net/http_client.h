// HTTP requests with a body, over libcurl: what a client of a web service needs, and no more.
//
// Redirects are not followed, so that a key in a header goes to the given host only. Proxies are taken from the usual
// environment variables. A request ends at once where the program is asked to stop (base/interrupt.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace cuset::base {

struct HttpRequest {
  std::string url = {};                   // http:// or https://
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = {};
  std::chrono::milliseconds time_limit{60'000};
  size_t reply_limit = size_t{64} << 20;  // bytes of the reply's body
};

struct HttpReply {
  enum class Failure {
    kNone,         // the reply is complete
    kTimeout,      // the time limit passed first
    kConnection,   // no connection, or it ended before the reply did
    kTooLarge,     // the body is larger than the limit
    kInterrupted,  // the program was asked to stop
  };
  Failure failure = Failure::kNone;
  std::string explanation;              // of a failure, in one line
  int status = 0;                       // 200; 0 where none came
  std::string body;                     // empty after a failure
  std::chrono::seconds retry_after{0};  // that the server asked for; 0: it did not
};

class HttpClient {
 public:
  // Throws Error where the program was built without libcurl, or where this machine does not have it.
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Whether this program was built with libcurl and finds it on this machine.
  static bool is_available();

  // Sends a POST request and waits for the reply. Safe to call from several threads; connections are used again.
  // Throws Error for a URL that is none.
  HttpReply post(const HttpRequest& request);

 private:
  class Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace cuset::base
