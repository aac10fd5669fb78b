// An HTTP client for tests of servers: sends bytes as they are and reads everything until the server closes or says how much there
// is.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace cuset::support {

// A connection to a port of this machine.
class RawConnection {
 public:
  explicit RawConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    is_open_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawConnection() { ::close(socket_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  bool is_open() const { return is_open_; }

  void send(const std::string& bytes) const {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t more = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) return;
      sent += static_cast<size_t>(more);
    }
  }

  // More bytes; empty where the server has closed the connection.
  std::string receive() const {
    std::string block(1 << 16, '\0');
    const ssize_t count = ::recv(socket_, block.data(), block.size(), 0);
    block.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return block;
  }

  std::string receive_all() const {
    std::string all;
    for (std::string block = receive(); !block.empty(); block = receive()) all += block;
    return all;
  }

 private:
  int socket_;
  bool is_open_ = false;
};

struct RawReply {
  int status = 0;  // 0: none came
  std::string head;
  std::string body;  // chunks joined
};

inline std::string joined_chunks(const std::string& body) {
  std::string text;
  for (size_t at = 0; at < body.size();) {
    const size_t end = body.find("\r\n", at);
    if (end == std::string::npos) break;
    const size_t length = std::strtoul(body.c_str() + at, nullptr, 16);
    if (length == 0) break;
    text += body.substr(end + 2, length);
    at = end + 2 + length + 2;
  }
  return text;
}

inline RawReply parse_reply(const std::string& bytes) {
  RawReply reply;
  const size_t end = bytes.find("\r\n\r\n");
  if (bytes.size() < 12 || end == std::string::npos) return reply;
  reply.status = std::atoi(bytes.c_str() + 9);
  reply.head = bytes.substr(0, end);
  reply.body = bytes.substr(end + 4);
  if (reply.head.find("Transfer-Encoding: chunked") != std::string::npos)
    reply.body = joined_chunks(reply.body);
  return reply;
}

// One request on a connection of its own. `headers` are further lines; one of them may be Host.
inline RawReply raw_request(int port, const std::string& method, const std::string& path,
                            const std::string& body = "",
                            const std::vector<std::string>& headers = {"Content-Type: application/json"}) {
  const RawConnection connection(port);
  std::string text = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n", host = "Host: 127.0.0.1\r\n";
  for (const std::string& header : headers) {
    text += header + "\r\n";
    if (header.starts_with("Host:")) host.clear();
  }
  text += host;
  if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  connection.send(text + "\r\n" + body);
  return parse_reply(connection.receive_all());
}

}  // namespace cuset::support
