// `cuset serve`: which request goes to which endpoint, who may ask, and how the server ends. docs/serve.md.
//
//   GET  /                              a page to try it all; POST /regions tells it what to color
//   GET  /health                        200, or 503 while the server is ending; also /ping. GET /version
//   GET  /metrics                       Prometheus' text format
//   GET  /v1/models                     with a model: the model and its adapters
//   POST /v1/chat/completions           with a model; also /v1/completions
//   POST /v1/load_lora_adapter          with a model; also /v1/unload_lora_adapter
//   POST /judge                         with a judge; GET and DELETE /judge/{id}, GET /judge, GET /tasks; NeMo Gym's POST /verify;
//                                       KernelGYM's POST /evaluate, GET /status/{id} and /results/{id}
//
// With a key, everything but /health, /version and the page asks for it ("Authorization: Bearer KEY"). Without one, requests must name this
// machine as their host, and bodies must be application/json: a page in somebody's browser can then neither pose as a
// client nor reach the server by a name that it changed to point here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/example.h"
#include "serve/generation/generation_service.h"
#include "serve/http/http_server.h"
#include "serve/http/metrics.h"
#include "serve/judging/judge_service.h"
#include "serve/judging/judgements.h"
#include "serve/openai/completions.h"

namespace cuset::serve {

struct ServerOptions {
  HttpServerOptions http;
  std::string api_key;                                 // empty: none is asked for
  std::optional<GenerationServiceOptions> generation;  // nothing: no model
  CompletionOptions completion;
  std::optional<JudgeServiceOptions> judging;  // nothing: no judge
  std::string version;                         // that GET /version tells
  double drain_seconds = 300;                  // that requests may take after the first signal
};

class Server {
 public:
  // Loads the model and listens. Throws Error.
  explicit Server(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;  // 0 with a Unix socket

  // Serves until SIGINT or SIGTERM, which lets requests that are there finish; a second one ends it at once. Gives the
  // number of the signal. Throws Error where the model failed, or the queue of the judge.
  int run();
  // Whether requests were still there when it ended. The caller need not wait for what is being judged then.
  bool was_cut_short() const { return was_cut_short_; }

 private:
  using Exchange = std::shared_ptr<HttpExchange>;
  struct Route {
    std::string method;
    std::string path;  // one that ends in "/" stands for all below it
    std::function<void(const Exchange&)> handle;
    bool is_open = false;  // without a key
  };

  void start_generation();
  // From any thread: run() then throws.
  void end_with_failure(const std::string& what);
  void add_routes();
  void add_completion_routes();
  void add_judge_routes();
  void add_kernel_gym_routes();
  void tell_health(HttpExchange& exchange) const;
  void handle(const Exchange& exchange);
  // Nothing where there is none; `allowed` are then the methods that the path has.
  const Route* route_of(const Exchange& exchange, std::string& allowed) const;
  void refuse_without_route(const Exchange& exchange, const std::string& allowed) const;
  bool is_allowed(const Exchange& exchange, const Route& route);
  void call(const Exchange& exchange, const Route& route);
  void take_signal(int signal);
  void stop_when_done(double seconds_left);

  ServerOptions options_;
  Metrics metrics_;
  std::unique_ptr<data::ExampleBuilder> builder_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<GenerationService> generation_;
  std::unique_ptr<Completions> completions_;
  std::unique_ptr<JudgeService> judging_;
  std::unique_ptr<Judgements> judgements_;
  std::vector<Route> routes_;
  int signal_ = 0;
  bool was_cut_short_ = false;
  std::string failure_;
};

// Whether `value`, that of Authorization, holds the key, as "Bearer KEY" or as the password of "Basic ..."; takes the same time wherever they differ.
bool holds_key(const std::string& value, const std::string& key);

// Whether the value of Content-Type is application/json, with parameters or without.
bool is_json_type(const std::string& header);

// Whether the value of a Host header names this machine, or `host`, which the server listens on.
bool is_local_host(const std::string& header, const std::string& host);

}  // namespace cuset::serve
