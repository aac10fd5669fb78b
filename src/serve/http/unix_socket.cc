#include "serve/http/unix_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace cuset::serve {
namespace {

sockaddr_un address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof(address.sun_path)) {
    throw base::Error("--socket: {} has more than {} bytes", path.string(), sizeof(address.sun_path) - 1)
        .with_remedy("choose a shorter path, as below /tmp");
  }
  std::memcpy(address.sun_path, text.data(), text.size());
  return address;
}

base::FileDescriptor new_socket() {
  base::FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made.is_open()) throw base::Error("cannot make a socket: {}", base::errno_text(errno));
  return made;
}

bool is_socket_file(const std::filesystem::path& path) {
  std::error_code missing;
  return std::filesystem::is_socket(std::filesystem::symlink_status(path, missing));
}

}  // namespace

UnixSocket::UnixSocket(const std::filesystem::path& path) : descriptor_(new_socket()) {
  const sockaddr_un address = address_of(path);
  const auto* where = reinterpret_cast<const sockaddr*>(&address);
  if (is_socket_file(path) && ::connect(new_socket().get(), where, sizeof(address)) != 0 &&
      errno == ECONNREFUSED)
    ::unlink(path.c_str());
  // Nobody can connect before listen(), and from then on its owner alone.
  if (::bind(descriptor_.get(), where, sizeof(address)) != 0) {
    throw base::Error("cannot listen on {}: {}", path.string(), base::errno_text(errno))
        .with_remedy("choose another --socket");
  }
  path_ = path;
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(descriptor_.get(), SOMAXCONN) != 0)
    throw base::Error("cannot listen on {}: {}", path.string(), base::errno_text(errno));
}

int UnixSocket::duplicate() const { return ::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0); }

UnixSocket::~UnixSocket() { ::unlink(path_.c_str()); }

}  // namespace cuset::serve
