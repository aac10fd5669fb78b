// A little HTTP server for tests of clients, on a port of this machine: it reads one request a connection, asks a function of the test what to do,
// and does it, however badly a server can behave.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cuset::support {

struct ServedRequest {
  std::string head;  // request line and headers
  std::string body;
};

struct ServedReply {
  int status = 200;
  std::string body = "";
  std::string headers = "";              // further lines, each with "\r\n"
  size_t cut_after = std::string::npos;  // bytes of the body that are sent before the connection is closed
  bool is_silent = false;                // nothing is sent until the client goes away
};

class ScriptedHttpServer {
 public:
  using Script = std::function<ServedReply(const ServedRequest&)>;

  explicit ScriptedHttpServer(Script script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    ::listen(listener_, 64);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~ScriptedHttpServer() {
    is_over_ = true;
    acceptor_.join();
    for (std::thread& thread : connections_) thread.join();
    ::close(listener_);
  }
  ScriptedHttpServer(const ScriptedHttpServer&) = delete;
  ScriptedHttpServer& operator=(const ScriptedHttpServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  // Whether there is something to read within a moment.
  static bool is_ready(int socket) {
    pollfd wait{socket, POLLIN, 0};
    return ::poll(&wait, 1, 20) > 0;
  }

  void accept_all() {
    while (!is_over_) {
      if (!is_ready(listener_)) continue;
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      connections_.emplace_back([this, connection] {
        serve(connection);
        ::close(connection);
      });
    }
  }

  void serve(int connection) {
    ServedRequest request;
    if (!read_request(connection, request)) return;
    const ServedReply reply = script_(request);
    if (reply.is_silent) return wait_for_end(connection);
    std::string text =
        "HTTP/1.1 " + std::to_string(reply.status) +
        " Scripted\r\nConnection: close\r\nContent-Length: " + std::to_string(reply.body.size()) + "\r\n" +
        reply.headers + "\r\n" + reply.body.substr(0, reply.cut_after);
    for (size_t sent = 0; sent < text.size();) {
      const ssize_t more = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) return;
      sent += static_cast<size_t>(more);
    }
  }

  bool read_request(int connection, ServedRequest& request) const {
    std::string text;
    while (!is_over_) {
      const size_t head = text.find("\r\n\r\n");
      if (head != std::string::npos) {
        const size_t length_at = text.find("Content-Length: ");
        const size_t length = length_at < head ? std::stoul(text.substr(length_at + 16)) : 0;
        if (text.size() >= head + 4 + length) {
          request = {text.substr(0, head), text.substr(head + 4, length)};
          return true;
        }
      }
      if (!is_ready(connection)) continue;
      char block[4096];
      const ssize_t count = ::recv(connection, block, sizeof(block), 0);
      if (count <= 0) return false;
      text.append(block, static_cast<size_t>(count));
    }
    return false;
  }

  void wait_for_end(int connection) const {
    char byte = 0;
    while (!is_over_)
      if (is_ready(connection) && ::recv(connection, &byte, 1, 0) <= 0) return;
  }

  Script script_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread acceptor_;
  std::vector<std::thread> connections_;
};

}  // namespace cuset::support
