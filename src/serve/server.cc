#include "serve/server.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/lower_case.h"
#include "serve/http/error_reply.h"
#include "serve/http/request_body.h"
#include "serve/judging/nemo_gym_metrics.h"
#include "serve/page/answer_regions.h"
#include "serve/page/playground_page.h"

namespace cuset::serve {
namespace {

constexpr const char* kRequests = "cuset_http_requests_total";
constexpr double kDrainLook = 0.05;  // seconds between two looks whether all requests are done

void refuse_request(HttpExchange& exchange, int status, std::string_view message,
                    const HttpExchange::Headers& headers = {}) {
  exchange.reply(status, error_body(status, message), "application/json", headers);
}

// The password of "Basic ...", which clients send for an address like http://any:KEY@host; empty where there is none.
std::string basic_password(std::string_view coded) {
  std::string text;
  uint32_t bits = 0;
  int count = 0;
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : coded.substr(0, coded.find('='))) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return "";
    bits = (bits << 6 | static_cast<uint32_t>(digit)) & 0xFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += static_cast<char>(bits >> count & 0xFF);
  }
  const size_t colon = text.find(':');
  return colon == std::string::npos ? "" : text.substr(colon + 1);
}

}  // namespace

bool holds_key(const std::string& value, const std::string& key) {
  // The name of a scheme has no case.
  const size_t space = std::min(value.find(' '), value.size());
  const std::string header = base::in_lower_case(value.substr(0, space)) + value.substr(space);
  constexpr std::string_view kBasic = "basic ";
  if (header.starts_with(kBasic))
    return holds_key("Bearer " + basic_password(std::string_view(header).substr(kBasic.size())), key);
  const std::string wanted = "bearer " + key;
  unsigned char difference = header.size() == wanted.size() ? 0 : 1;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const char got = i < header.size() ? header[i] : '\0';
    difference = static_cast<unsigned char>(difference | (got ^ wanted[i]));
  }
  return difference == 0;
}

bool is_json_type(const std::string& header) {
  std::string type = base::in_lower_case(header.substr(0, header.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  return type == "application/json";
}

bool is_local_host(const std::string& header, const std::string& host) {
  // "[::1]:8000", "localhost:8000", "127.0.0.1".
  const size_t bracket = header.rfind(']');
  const size_t colon = header.rfind(':');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  std::string name = has_port ? header.substr(0, colon) : header;
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') name = name.substr(1, name.size() - 2);
  constexpr std::array<std::string_view, 3> kLocal = {"localhost", "127.0.0.1", "::1"};
  return name == host || std::find(kLocal.begin(), kLocal.end(), name) != kLocal.end();
}

Server::Server(ServerOptions options) : options_(std::move(options)) {
  metrics_.declare_counter(kRequests, "Requests by endpoint and status");
  http_ = std::make_unique<HttpServer>(options_.http, [this](const Exchange& exchange) { handle(exchange); });
  if (options_.generation) start_generation();
  if (options_.judging) {
    options_.judging->on_failure = [this](const std::string& reason) {
      end_with_failure("judging has stopped: " + reason);
    };
    judging_ = std::make_unique<JudgeService>(std::move(*options_.judging), metrics_);
    judgements_ = std::make_unique<Judgements>(*http_, *judging_);
  }
  add_routes();
}

void Server::start_generation() {
  GenerationServiceOptions& generation = *options_.generation;
  builder_ = std::make_unique<data::ExampleBuilder>(
      data::ExampleBuilder::from_model_folder(generation.model.folder));
  generation.stop_tokens.push_back(builder_->closing_token());
  generation_ = std::make_unique<GenerationService>(generation, builder_->tokenizer(), metrics_);
  generation_->on_engine_failure(
      [this](const std::string& reason) { end_with_failure("generation has stopped: " + reason); });
  completions_ = std::make_unique<Completions>(*http_, *generation_, *builder_, options_.completion);
}

Server::~Server() = default;

void Server::end_with_failure(const std::string& what) {
  http_->post([this, what] {
    failure_ = what;
    http_->stop();
  });
}

int Server::port() const { return http_->port(); }

void Server::add_routes() {
  for (const char* path : {"/health", "/ping"})
    routes_.push_back({"GET", path, [this](const Exchange& exchange) { tell_health(*exchange); }, true});
  routes_.push_back({"GET", "/version",
                     [this](const Exchange& exchange) {
                       exchange->reply(200, base::to_json_line({{"version", options_.version}}));
                     },
                     true});
  routes_.push_back({"GET", "/metrics", [this](const Exchange& exchange) {
                       exchange->reply(200, metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
                     }});
  routes_.push_back({"GET", "/",
                     [](const Exchange& exchange) {
                       exchange->reply(200, kPlaygroundPage, "text/html; charset=utf-8",
                                       {{"Content-Security-Policy", std::string(kPlaygroundPolicy)}});
                     },
                     true});
  routes_.push_back({"POST", "/regions", [](const Exchange& exchange) {
                       exchange->reply(200, base::to_json_line(answer_regions(json_body(*exchange))));
                     }});
  if (completions_) add_completion_routes();
  if (judgements_) add_judge_routes();
}

void Server::tell_health(HttpExchange& exchange) const {
  if (signal_ != 0) return refuse_request(exchange, 503, "the server is ending");
  // Clients of KernelGYM look for its word, those of model servers for theirs.
  exchange.reply(200, judging_ ? R"({"status":"healthy"})" : R"({"status":"ok"})");
}

void Server::add_judge_routes() {
  routes_.push_back({"POST", "/judge", [this](const Exchange& exchange) { judgements_->judge(exchange); }});
  routes_.push_back(
      {"GET", "/judge", [this](const Exchange& exchange) { judgements_->show_queue(*exchange); }});
  routes_.push_back({"GET", "/judge/", [this](const Exchange& exchange) { judgements_->show(*exchange); }});
  routes_.push_back(
      {"DELETE", "/judge/", [this](const Exchange& exchange) { judgements_->cancel(exchange); }});
  routes_.push_back(
      {"POST", "/verify", [this](const Exchange& exchange) { judgements_->verify_nemo_gym(exchange); }});
  routes_.push_back({"POST", "/seed_session", [](const Exchange& exchange) { exchange->reply(200, "{}"); }});
  routes_.push_back({"POST", "/aggregate_metrics", [](const Exchange& exchange) {
                       exchange->reply(200, base::to_json_line(nemo_gym_metrics(json_body(*exchange))));
                     }});
  routes_.push_back(
      {"GET", "/tasks", [this](const Exchange& exchange) { judgements_->list_tasks(*exchange); }});
  add_kernel_gym_routes();
}

void Server::add_kernel_gym_routes() {
  routes_.push_back(
      {"POST", "/evaluate", [this](const Exchange& exchange) { judgements_->evaluate(exchange); }});
  routes_.push_back({"POST", "/evaluate/batch",
                     [this](const Exchange& exchange) { judgements_->evaluate_batch(exchange); }});
  routes_.push_back(
      {"GET", "/status/", [this](const Exchange& exchange) { judgements_->show_status(*exchange); }});
  routes_.push_back(
      {"GET", "/results/", [this](const Exchange& exchange) { judgements_->show_evaluation(*exchange); }});
  routes_.push_back(
      {"DELETE", "/tasks/", [this](const Exchange& exchange) { judgements_->cancel_named(exchange); }});
}

void Server::add_completion_routes() {
  routes_.push_back(
      {"GET", "/v1/models", [this](const Exchange& exchange) { completions_->list_models(*exchange); }});
  routes_.push_back({"POST", "/v1/chat/completions", [this](const Exchange& exchange) {
                       completions_->complete(exchange, CompletionKind::kChat);
                     }});
  routes_.push_back({"POST", "/v1/completions", [this](const Exchange& exchange) {
                       completions_->complete(exchange, CompletionKind::kPlain);
                     }});
  routes_.push_back(
      {"GET", "/v1/models/", [this](const Exchange& exchange) { completions_->show_model(*exchange); }});
  routes_.push_back(
      {"POST", "/tokenize", [this](const Exchange& exchange) { completions_->tokenize(*exchange); }});
  routes_.push_back(
      {"POST", "/detokenize", [this](const Exchange& exchange) { completions_->detokenize(*exchange); }});
  routes_.push_back({"POST", "/v1/load_lora_adapter",
                     [this](const Exchange& exchange) { completions_->load_adapter(exchange); }});
  routes_.push_back({"POST", "/v1/unload_lora_adapter",
                     [this](const Exchange& exchange) { completions_->unload_adapter(*exchange); }});
}

const Server::Route* Server::route_of(const Exchange& exchange, std::string& allowed) const {
  std::string_view path = exchange->path();
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);  // "/v1/models/"
  for (const Route& route : routes_) {
    const bool is_below = route.path.size() > 1 && route.path.ends_with('/') &&
                          path.size() > route.path.size() && path.starts_with(route.path);
    if (!is_below && path != route.path) continue;
    const std::string& method = exchange->method();
    if (method == route.method || (method == "HEAD" && route.method == "GET")) return &route;
    allowed += (allowed.empty() ? "" : ", ") + route.method + (route.method == "GET" ? ", HEAD" : "");
  }
  return nullptr;
}

void Server::refuse_without_route(const Exchange& exchange, const std::string& allowed) const {
  const std::string what = fmt::format("{} {}", exchange->method(), base::in_quotes(exchange->path(), 200));
  if (allowed.empty())
    return refuse_request(*exchange, 404,
                          what + ": there is no such endpoint here; docs/serve.md lists them");
  refuse_request(*exchange, 405, fmt::format("{}: the endpoint takes {}", what, allowed),
                 {{"Allow", allowed}});
}

bool Server::is_allowed(const Exchange& exchange, const Route& route) {
  if (!options_.api_key.empty() && !route.is_open &&
      !holds_key(exchange->header("Authorization").value_or(""), options_.api_key)) {
    refuse_request(*exchange, 401, "the key is missing or wrong: send the header Authorization: Bearer KEY");
    return false;
  }
  if (options_.api_key.empty() &&
      !is_local_host(exchange->header("Host").value_or("localhost"), options_.http.host)) {
    refuse_request(*exchange, 403, "the Host header names another machine, and the server has no key");
    return false;
  }
  if (route.method == "POST" && !is_json_type(exchange->header("Content-Type").value_or(""))) {
    refuse_request(*exchange, 415, "send the header Content-Type: application/json");
    return false;
  }
  return true;
}

void Server::handle(const Exchange& exchange) {
  std::string allowed;
  const Route* route = route_of(exchange, allowed);
  const auto count = [this, seen = exchange.get(), path = route == nullptr ? "other" : route->path] {
    metrics_.add(kRequests, 1, {{"path", path}, {"status", std::to_string(seen->status())}});
  };
  exchange->on_finished(count);
  if (route == nullptr) return refuse_without_route(exchange, allowed);
  if (!is_allowed(exchange, *route)) return;
  if (signal_ != 0 && !route->is_open)
    return refuse_request(*exchange, 503, "the server is ending", {{"Connection", "close"}});
  call(exchange, *route);
}

void Server::call(const Exchange& exchange, const Route& route) {
  try {
    route.handle(exchange);
  } catch (const ContextLengthExceeded& error) {
    exchange->reply(400, error_body(400, error.one_line(), "context_length_exceeded"));
  } catch (const base::Error& error) {
    if (exchange->is_streaming()) return exchange->end_stream();
    refuse_request(*exchange, 400, error.one_line());
  }
}

int Server::run() {
  http_->run([this](int signal) { take_signal(signal); });
  if (!failure_.empty()) throw base::Error("{}", failure_);
  return signal_;
}

void Server::take_signal(int signal) {
  if (signal_ != 0) {
    was_cut_short_ = true;
    return http_->stop();
  }
  signal_ = signal;
  http_->stop_listening();
  if (judging_) judging_->stop_taking();
  if (judgements_) judgements_->reply_to_all();
  base::log_info("ending: {} requests and {} answers are being finished; a second signal ends them",
                 http_->open_exchanges(), judging_ ? judging_->running() : 0);
  stop_when_done(options_.drain_seconds);
}

void Server::stop_when_done(double seconds_left) {
  const bool is_done = http_->open_exchanges() == 0 && (!judging_ || judging_->running() == 0);
  if (is_done || seconds_left <= 0) {
    was_cut_short_ = !is_done;
    return http_->stop();
  }
  http_->after(kDrainLook, [this, seconds_left] { stop_when_done(seconds_left - kDrainLook); });
}

}  // namespace cuset::serve
