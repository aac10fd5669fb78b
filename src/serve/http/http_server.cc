#include "serve/http/http_server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/files/file.h"
#include "base/log.h"
#include "serve/http/error_reply.h"
#include "serve/http/own_pages.h"
#include "serve/http/unix_socket.h"

namespace cuset::serve {
namespace {

constexpr ev_ssize_t kHeaderLimit = 64 << 10;
constexpr size_t kReadAhead = 128 << 10;   // bytes of the next request, while one is being answered
constexpr int kNeverIdle = 7 * 24 * 3600;  // seconds
constexpr double kFarewellSeconds = 0.2;   // for bytes of the last replies that are still in buffers

evhttp_request* request_of(void* request) { return static_cast<evhttp_request*>(request); }

const char* method_name(evhttp_cmd_type command) {
  switch (command) {
    case EVHTTP_REQ_GET:
      return "GET";
    case EVHTTP_REQ_POST:
      return "POST";
    case EVHTTP_REQ_DELETE:
      return "DELETE";
    case EVHTTP_REQ_OPTIONS:
      return "OPTIONS";
    case EVHTTP_REQ_HEAD:
      return "HEAD";
    case EVHTTP_REQ_PUT:
      return "PUT";
    case EVHTTP_REQ_PATCH:
      return "PATCH";
    default:
      return "";
  }
}

timeval time_of(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  return {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6)};
}

// The phrase of the status line: clients look at the number.
const char* phrase_of(int status) { return status < 300 ? "OK" : "Error"; }

// Every waiting client costs one.
void allow_many_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

using Buffer = std::unique_ptr<evbuffer, decltype(&evbuffer_free)>;

Buffer buffer_of(std::string_view text) {
  Buffer buffer(evbuffer_new(), &evbuffer_free);
  evbuffer_add(buffer.get(), text.data(), text.size());
  return buffer;
}

template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
using Base = std::unique_ptr<event_base, Freed<event_base, event_base_free>>;
using Event = std::unique_ptr<event, Freed<event, event_free>>;
using Http = std::unique_ptr<evhttp, Freed<evhttp, evhttp_free>>;

// While a reply is being made libevent does not read, and would notice only when it writes that the client has gone. With
// reading on, and nobody to read what comes, it learns of the end at once; what comes belongs to the next request and stays in the buffer.
void watch_for_end(evhttp_connection* connection) {
  bufferevent* buffer = evhttp_connection_get_bufferevent(connection);
  bufferevent_data_cb on_read = nullptr, on_write = nullptr;
  bufferevent_event_cb on_event = nullptr;
  void* argument = nullptr;
  bufferevent_getcb(buffer, &on_read, &on_write, &on_event, &argument);
  bufferevent_setcb(buffer, nullptr, on_write, on_event, argument);
  bufferevent_setwatermark(buffer, EV_READ, 0, kReadAhead);
  bufferevent_enable(buffer, EV_READ);
}

// libevent takes a body only when all of it is in the buffer: a limit that stays would keep a larger one from ever arriving.
void read_without_limit(evhttp_connection* connection) {
  bufferevent_setwatermark(evhttp_connection_get_bufferevent(connection), EV_READ, 0, 0);
}

// The path of the request's target. Of "//a/b" libevent makes the host a and the path /b, where a proxy that guards /b sees
// another path.
std::string path_of(evhttp_request* request) {
  const std::string_view target = evhttp_request_get_uri(request);
  if (target.starts_with('/')) return std::string(target.substr(0, target.find_first_of("?#")));
  const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
  const char* path = uri == nullptr ? nullptr : evhttp_uri_get_path(uri);
  return path == nullptr || *path == '\0' ? "/" : path;
}

// Of a target with "http://host:port" in front, which must be that of the Host header.
bool names_another_host(evhttp_request* request) {
  const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
  const char* host = uri == nullptr ? nullptr : evhttp_uri_get_host(uri);
  if (host == nullptr || *evhttp_request_get_uri(request) == '/') return false;
  const int port = evhttp_uri_get_port(uri);
  const std::string authority = port < 0 ? host : fmt::format("{}:{}", host, port);
  const char* header = evhttp_find_header(evhttp_request_get_input_headers(request), "Host");
  return header == nullptr || evutil_ascii_strcasecmp(header, authority.c_str()) != 0;
}

size_t body_bytes(evhttp_request* request) {
  return evbuffer_get_length(evhttp_request_get_input_buffer(request));
}

std::string_view without_zeros(std::string_view digits) {
  const size_t first = digits.find_first_not_of('0');
  return first != std::string_view::npos ? digits.substr(first) : "0";
}

// Headers in which a proxy before this server may see other requests than libevent does: a second length or host, a
// length that is not plain digits, a name with a space, a body that libevent left in the connection (it reads none
// behind HEAD, nor behind transfer codings other than "chunked"). RFC 9112 (5.1, 6.3) wants them refused.
bool is_ambiguous(evhttp_request* request) {
  if (names_another_host(request)) return true;
  std::map<std::string, int> seen;
  const evkeyvalq* headers = evhttp_request_get_input_headers(request);
  for (const evkeyval* header = headers->tqh_first; header != nullptr; header = header->next.tqe_next) {
    std::string name = header->key;
    for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const std::string_view value = header->value;
    const bool is_single = name == "content-length" || name == "transfer-encoding" || name == "host";
    if (is_single && ++seen[name] > 1) return true;
    if (name == "content-length" && (value.find_first_not_of("0123456789") != std::string_view::npos ||
                                     std::to_string(body_bytes(request)) != without_zeros(value)))
      return true;
    if (name == "transfer-encoding" && (evutil_ascii_strcasecmp(header->value, "chunked") != 0 ||
                                        evhttp_request_get_command(request) == EVHTTP_REQ_HEAD))
      return true;
    if (std::any_of(name.begin(), name.end(), [](char c) { return c <= ' ' || c == 127; })) return true;
  }
  return seen.contains("content-length") && seen.contains("transfer-encoding");
}

}  // namespace

HttpExchange::HttpExchange(void* request) : request_(request) {
  evhttp_request* from = request_of(request);
  method_ = method_name(evhttp_request_get_command(from));
  path_ = path_of(from);
}

HttpExchange::~HttpExchange() = default;

std::string HttpExchange::take_body() {
  if (request_ == nullptr) return {};
  evbuffer* input = evhttp_request_get_input_buffer(request_of(request_));
  std::string body(evbuffer_get_length(input), '\0');
  evbuffer_remove(input, body.data(), body.size());
  return body;
}

std::optional<std::string> HttpExchange::header(const char* name) const {
  if (request_ == nullptr) return std::nullopt;
  const char* value = evhttp_find_header(evhttp_request_get_input_headers(request_of(request_)), name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string HttpExchange::part_behind(std::string_view prefix) const {
  const std::string part = path_.starts_with(prefix) ? path_.substr(prefix.size()) : "";
  size_t size = 0;
  const std::unique_ptr<char, decltype(&std::free)> decoded(evhttp_uridecode(part.c_str(), 0, &size),
                                                            &std::free);
  return decoded ? std::string(decoded.get(), size) : part;
}

void HttpExchange::reply(int status, std::string_view body, std::string_view type, const Headers& headers) {
  if (request_ == nullptr) return;
  evkeyvalq* output = evhttp_request_get_output_headers(request_of(request_));
  evhttp_add_header(output, "Content-Type", std::string(type).c_str());
  for (const auto& [name, value] : headers) evhttp_add_header(output, name.c_str(), value.c_str());
  // libevent would send the body, which the client takes for the beginning of the next reply, and leave out its length.
  const bool is_head = method_ == "HEAD";
  if (is_head) evhttp_add_header(output, "Content-Length", std::to_string(body.size()).c_str());
  status_ = status;
  void* request = request_;
  finish();
  const OwnPages::Ours ours;
  evhttp_send_reply(request_of(request), status, phrase_of(status), buffer_of(is_head ? "" : body).get());
}

void HttpExchange::begin_stream(std::string_view type) {
  if (request_ == nullptr) return;
  evkeyvalq* output = evhttp_request_get_output_headers(request_of(request_));
  evhttp_add_header(output, "Content-Type", std::string(type).c_str());
  evhttp_add_header(output, "Cache-Control", "no-cache");
  status_ = 200;
  is_streaming_ = true;
  const OwnPages::Ours ours;
  evhttp_send_reply_start(request_of(request_), status_, phrase_of(status_));
}

void HttpExchange::send(std::string_view piece) {
  // An empty chunk would end the reply.
  if (request_ == nullptr || piece.empty()) return;
  evhttp_connection* connection = evhttp_request_get_connection(request_of(request_));
  bufferevent* buffer = evhttp_connection_get_bufferevent(connection);
  if (evbuffer_get_length(bufferevent_get_output(buffer)) > unread_limit_) {
    base::log_warning("{}: a client does not read its reply and is dropped", path_);
    // take_end() hears of it. Freed on the spot, the connection would be gone for whoever called this.
    return bufferevent_trigger_event(buffer, BEV_EVENT_ERROR, BEV_TRIG_DEFER_CALLBACKS);
  }
  const OwnPages::Ours ours;
  evhttp_send_reply_chunk(request_of(request_), buffer_of(piece).get());
}

void HttpExchange::end_stream() {
  if (request_ == nullptr) return;
  void* request = request_;
  finish();
  const OwnPages::Ours ours;
  evhttp_send_reply_end(request_of(request));
}

void HttpExchange::on_finished(std::function<void()> call) { finished_.push_back(std::move(call)); }

void HttpExchange::finish() {
  request_ = nullptr;
  const std::vector<std::function<void()>> calls = std::move(finished_);
  finished_.clear();
  for (const std::function<void()>& call : calls) call();
}

struct HttpServer::Parts {
  HttpServerOptions options;
  Handler handler;
  Base base;
  std::unique_ptr<OwnPages> pages;
  Http http;
  evhttp_bound_socket* listener = nullptr;
  int port = 0;
  std::unique_ptr<UnixSocket> unix_socket;
  base::FileDescriptor wake;
  Event woken;
  std::map<evhttp_connection*, std::shared_ptr<HttpExchange>> open;
  size_t held_bytes = 0;  // bodies of requests that have no whole reply yet
  std::function<void(int)> on_signal;

  std::mutex mutex;  // guards what follows
  std::deque<std::function<void()>> posted;

  static void take_request(evhttp_request* request, void* parts);
  static void take_end(evhttp_connection* connection, void* parts);
  static void take_posted(evutil_socket_t file, short what, void* parts);
  static void take_signal(evutil_socket_t signal, short what, void* parts);
  void handle(evhttp_request* request);
  void listen();
  void listen_at_port();
};

void HttpServer::Parts::take_request(evhttp_request* request, void* parts) {
  static_cast<Parts*>(parts)->handle(request);
}

void HttpServer::Parts::handle(evhttp_request* request) {
  evhttp_connection* connection = evhttp_request_get_connection(request);
  const auto exchange = std::make_shared<HttpExchange>(request);
  exchange->unread_limit_ = options.unread_limit;
  open[connection] = exchange;
  // While the reply is being made the client has nothing to say.
  evhttp_connection_set_timeout(connection, kNeverIdle);
  evhttp_connection_set_closecb(connection, &take_end, this);
  const size_t bytes = body_bytes(request);
  held_bytes += bytes;
  exchange->on_finished([this, connection, bytes] {
    held_bytes -= bytes;
    evhttp_connection_set_closecb(connection, nullptr, nullptr);
    evhttp_connection_set_timeout(connection, options.idle_seconds);
    read_without_limit(connection);
    open.erase(connection);
  });
  if (is_ambiguous(request))
    return exchange->reply(400, error_body(400, "the request's headers can be read in more than one way"),
                           "application/json", {{"Connection", "close"}});
  if (bytes > 0 && held_bytes > options.held_limit)
    return exchange->reply(503, error_body(503, "too much data waits to be worked on; try again later"),
                           "application/json", {{"Connection", "close"}, {"Retry-After", "5"}});
  try {
    handler(exchange);
  } catch (const std::exception& error) {
    base::log_error("{} {}: {}", exchange->method(), exchange->path(), error.what());
    if (exchange->is_streaming()) {
      exchange->end_stream();
    } else {
      exchange->reply(500, error_body(500, "internal error"));
    }
  }
  if (exchange->is_open()) watch_for_end(connection);
}

// The client has gone before its reply was complete. libevent frees the request with the connection, unless it has
// taken it off before.
void HttpServer::Parts::take_end(evhttp_connection* connection, void* parts) {
  auto& self = *static_cast<Parts*>(parts);
  const auto place = self.open.find(connection);
  if (place == self.open.end()) return;
  const std::shared_ptr<HttpExchange> exchange = place->second;
  evhttp_request* request = request_of(exchange->request_);
  exchange->finish();
  if (request != nullptr && evhttp_request_get_connection(request) == nullptr) evhttp_request_free(request);
}

void HttpServer::Parts::take_posted(evutil_socket_t file, short, void* parts) {
  auto& self = *static_cast<Parts*>(parts);
  uint64_t count = 0;
  while (::read(file, &count, sizeof(count)) > 0) {
  }
  std::deque<std::function<void()>> work;
  {
    const std::lock_guard lock(self.mutex);
    work.swap(self.posted);
  }
  for (const std::function<void()>& call : work) call();
}

void HttpServer::Parts::take_signal(evutil_socket_t signal, short, void* parts) {
  const auto& self = *static_cast<Parts*>(parts);
  if (self.on_signal) self.on_signal(static_cast<int>(signal));
}

void HttpServer::Parts::listen() {
  if (options.socket.empty()) return listen_at_port();
  unix_socket = std::make_unique<UnixSocket>(options.socket);
  listener = evhttp_accept_socket_with_handle(http.get(), unix_socket->duplicate());
  CUSET_CHECK(listener != nullptr, "libevent takes no Unix socket");
}

void HttpServer::Parts::listen_at_port() {
  errno = 0;
  listener = evhttp_bind_socket_with_handle(http.get(), options.host.c_str(),
                                            static_cast<ev_uint16_t>(options.port));
  if (listener == nullptr) {
    throw base::Error("cannot listen on {}:{}: {}", options.host, options.port,
                      errno == 0 ? "no such address" : base::errno_text(errno))
        .with_remedy("choose another --host or --port (0: any free one)");
  }
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  ::getsockname(evhttp_bound_socket_get_fd(listener), reinterpret_cast<sockaddr*>(&address), &length);
  port = ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

HttpServer::HttpServer(const HttpServerOptions& options, Handler handler)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.options = options;
  parts.handler = std::move(handler);
  parts.base.reset(event_base_new());
  CUSET_CHECK(parts.base, "libevent has no event base");
  parts.http.reset(evhttp_new(parts.base.get()));
  parts.pages = std::make_unique<OwnPages>(options.body_limit);
  parts.pages->replace_those_of(parts.http.get());
  allow_many_connections();
  evhttp_set_gencb(parts.http.get(), &Parts::take_request, &parts);
  evhttp_set_allowed_methods(parts.http.get(), EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_DELETE |
                                                   EVHTTP_REQ_OPTIONS | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT |
                                                   EVHTTP_REQ_PATCH);
  evhttp_set_max_headers_size(parts.http.get(), kHeaderLimit);
  evhttp_set_max_body_size(parts.http.get(), static_cast<ev_ssize_t>(options.body_limit));
  evhttp_set_timeout(parts.http.get(), options.idle_seconds);
  parts.listen();
  parts.wake = base::FileDescriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  parts.woken.reset(
      event_new(parts.base.get(), parts.wake.get(), EV_READ | EV_PERSIST, &Parts::take_posted, &parts));
  event_add(parts.woken.get(), nullptr);
}

HttpServer::~HttpServer() {
  // What is still open is freed with the server.
  for (const auto& [connection, exchange] : parts_->open) {
    evhttp_connection_set_closecb(connection, nullptr, nullptr);
    exchange->request_ = nullptr;
  }
  parts_->open.clear();
  parts_->woken.reset();
  parts_->http.reset();
}

int HttpServer::port() const { return parts_->port; }

size_t HttpServer::open_exchanges() const { return parts_->open.size(); }

void HttpServer::run(const std::function<void(int)>& on_signal) {
  parts_->on_signal = on_signal;
  std::vector<Event> signals;
  for (const int signal : {SIGINT, SIGTERM}) {
    if (!on_signal) continue;
    signals.emplace_back(
        event_new(parts_->base.get(), signal, EV_SIGNAL | EV_PERSIST, &Parts::take_signal, parts_.get()));
    event_add(signals.back().get(), nullptr);
  }
  event_base_dispatch(parts_->base.get());
}

void HttpServer::stop() {
  const timeval delay = time_of(kFarewellSeconds);
  event_base_loopexit(parts_->base.get(), &delay);
}

void HttpServer::stop_listening() {
  if (parts_->listener == nullptr) return;
  evhttp_del_accept_socket(parts_->http.get(), parts_->listener);
  parts_->listener = nullptr;
  parts_->unix_socket.reset();
}

void HttpServer::post(std::function<void()> work) {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->posted.push_back(std::move(work));
  }
  const uint64_t one = 1;
  // Fails only where the count is full, and then the thread wakes anyway.
  [[maybe_unused]] const ssize_t written = ::write(parts_->wake.get(), &one, sizeof(one));
}

void HttpServer::after(double seconds, std::function<void()> work) {
  const timeval delay = time_of(seconds);
  // libevent owns it until it calls.
  auto* call = std::make_unique<std::function<void()>>(std::move(work)).release();
  const auto run_once = [](evutil_socket_t, short, void* argument) {
    const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(argument));
    (*owned)();
  };
  const int code = event_base_once(parts_->base.get(), -1, EV_TIMEOUT, run_once, call, &delay);
  CUSET_CHECK(code == 0, "libevent takes no timer");
}

}  // namespace cuset::serve
