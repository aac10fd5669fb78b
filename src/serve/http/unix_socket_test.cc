#include "serve/http/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <thread>

#include "base/files/scratch_file.h"
#include "base/files/temporary_folder.h"
#include "serve/http/http_server.h"
#include "support/error_text.h"

namespace cuset::serve {
namespace {

// What a server on the socket replies; empty where nobody listens.
std::string reply_at(const std::filesystem::path& path, const std::string& request) {
  const base::FileDescriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  if (::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return "";
  if (::send(client.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "";
  std::string reply;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(client.get(), buffer, sizeof(buffer))) > 0;)
    reply.append(buffer, static_cast<size_t>(count));
  return reply;
}

TEST(UnixSocket, ServerListensForItsOwnerUntilItEnds) {
  const base::TemporaryFolder folder;
  const std::filesystem::path path = folder / "serve.sock";
  HttpServer server({.socket = path}, [](const std::shared_ptr<HttpExchange>& exchange) {
    exchange->reply(200, exchange->path());
  });
  std::thread thread([&] { server.run(); });
  const std::string request = "GET /abc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  EXPECT_TRUE(reply_at(path, request).ends_with("\r\n\r\n/abc"));
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  server.post([&] {
    server.stop_listening();
    server.stop();
  });
  thread.join();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(UnixSocket, FileThatAKilledServerLeftIsReplacedAndNoOther) {
  const base::TemporaryFolder folder;
  const std::filesystem::path path = folder / "serve.sock";
  {
    // A socket that nobody listens on.
    const base::FileDescriptor left(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(left.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  const UnixSocket first(path);
  EXPECT_NE(support::error_of([&] { UnixSocket second(path); }).find("cannot listen on " + path.string()),
            std::string::npos)
      << "somebody listens";
  base::write_scratch_file(folder / "text", "mine");
  EXPECT_NE(support::error_of([&] { UnixSocket second(folder / "text"); }), "");
  EXPECT_EQ(base::read_file(folder / "text"), "mine");
  EXPECT_NE(support::error_of([&] { UnixSocket second(folder / std::string(200, 'x')); }).find("more than"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::serve
