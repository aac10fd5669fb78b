// An HTTP/1.1 server over libevent: one thread runs all connections, so that thousands of clients may wait for verdicts or
// streams without a thread each. Work is done elsewhere; its results come back through post().
//
//   HttpServer server({.port = 8000}, [](const std::shared_ptr<HttpExchange>& exchange) { exchange->reply(200, "{}"); });
//   server.run();
//
// Request lines and headers are limited to 64 KiB, bodies to `body_limit` (413) and all together to `held_limit` (503);
// headers that can be read in more than one way are refused, and end the connection. Clients that send slowly are
// dropped, and so are those that leave `unread_limit` of their reply unread. Where no more connections can be had, those
// that come wait. Errors that libevent finds itself have a JSON body, as all others have (own_pages.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuset::serve {

// A request and its reply. All members belong to the server's thread.
class HttpExchange {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  explicit HttpExchange(void* request);
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const std::string& method() const { return method_; }    // "GET"; empty: one that the server does not know
  const std::string& path() const { return path_; }        // "/v1/models", without the query
  std::string part_behind(std::string_view prefix) const;  // the rest of the path, %xx decoded
  std::string take_body();                                 // it is not kept: empty from then on
  std::optional<std::string> header(const char* name) const;

  // The whole reply. Nothing happens where the client is gone; the same holds for what follows.
  void reply(int status, std::string_view body, std::string_view type = "application/json",
             const Headers& headers = {});
  // A reply in pieces.
  void begin_stream(std::string_view type);
  void send(std::string_view piece);
  void end_stream();
  bool is_streaming() const { return is_streaming_; }

  // False once the reply is complete or the client is gone.
  bool is_open() const { return request_ != nullptr; }
  int status() const { return status_; }  // of the reply; 0 before
  // Called once: after the reply, or when the client goes away before.
  void on_finished(std::function<void()> call);

 private:
  friend class HttpServer;
  void finish();

  void* request_;  // evhttp_request
  size_t unread_limit_ = SIZE_MAX;
  std::string method_;
  std::string path_;
  int status_ = 0;
  bool is_streaming_ = false;
  std::vector<std::function<void()>> finished_;
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 8000;                    // 0: any free one
  std::filesystem::path socket = {};  // a Unix socket instead, for this user alone; removed at the end
  size_t body_limit = size_t{16} << 20;
  size_t unread_limit = size_t{8} << 20;  // of a stream
  size_t held_limit = size_t{1} << 30;    // of the bodies of all requests that wait for a reply
  int idle_seconds = 120;                 // that a connection may be silent between or inside of requests
};

class HttpServer {
 public:
  using Handler = std::function<void(const std::shared_ptr<HttpExchange>&)>;

  // Listens at once. Throws Error where the address cannot be had.
  HttpServer(const HttpServerOptions& options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;  // 0 with a Unix socket

  // Serves until stop(). `on_signal` is called for SIGINT and SIGTERM meanwhile.
  void run(const std::function<void(int signal)>& on_signal = {});
  // Ends run() once replies that are on their way are sent. On the server's thread.
  void stop();
  // Lets no new connection in. On the server's thread.
  void stop_listening();

  // Calls `work` soon on the server's thread. Safe to call from any thread.
  void post(std::function<void()> work);
  // Calls `work` on the server's thread after a time. On the server's thread.
  void after(double seconds, std::function<void()> work);

  size_t open_exchanges() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::serve
