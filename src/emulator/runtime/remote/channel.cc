#include "runtime/remote/channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "device_account.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kLargestBody = 16ull << 30;
constexpr uint64_t kLargestPart = 64 << 20;
constexpr int kPipeBytes = 1 << 20;

struct Head {
  uint32_t kind;
  uint32_t unused;
  uint64_t bytes;
};

int open_pipe(const std::string& path, int flags) {
  const int pipe = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW);
  if (pipe < 0) throw ChannelBroken("cannot open " + path + ": " + std::strerror(errno));
  fcntl(pipe, F_SETPIPE_SZ, kPipeBytes);
  return pipe;
}

}  // namespace

Message& Message::put_bytes(const void* bytes, size_t count) {
  const char* begin = static_cast<const char*>(bytes);
  body_.insert(body_.end(), begin, begin + count);
  return *this;
}

std::span<char> Message::take_bytes(size_t count) {
  if (count > body_.size() - taken_) throw ChannelBroken("a message is too short");
  taken_ += count;
  return std::span(body_).subspan(taken_ - count, count);
}

std::string Message::take_text() {
  const std::span<char> text = take_bytes(take<uint64_t>());
  return std::string(text.begin(), text.end());
}

// Both open the pipe to the device first: opening waits for the other end.
Channel Channel::of_program(const std::string& folder) {
  const int out = open_pipe(folder + "/" CUSET_PIPE_TO_DEVICE, O_WRONLY);
  return Channel(open_pipe(folder + "/" CUSET_PIPE_TO_PROGRAM, O_RDONLY), out);
}

Channel Channel::of_device(const std::string& folder) {
  const int in = open_pipe(folder + "/" CUSET_PIPE_TO_DEVICE, O_RDONLY);
  return Channel(in, open_pipe(folder + "/" CUSET_PIPE_TO_PROGRAM, O_WRONLY));
}

Channel Channel::of_file(const std::string& path) {
  const int in = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) throw ChannelBroken("cannot open " + path);
  return Channel(in, -1);
}

void Channel::log_to(const std::string& path) {
  log_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (log_ < 0) throw ChannelBroken("cannot write " + path);
}

Channel::Channel(Channel&& other) noexcept
    : in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      log_(std::exchange(other.log_, -1)) {}

Channel::~Channel() {
  if (log_ >= 0) close(log_);
  if (in_ >= 0) close(in_);
  if (out_ >= 0) close(out_);
}

bool Channel::read_all(void* to, size_t bytes, bool may_end) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read(in_, static_cast<char*>(to) + done, bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 && done == 0 && may_end) return false;
    if (got <= 0) throw ChannelBroken("the other process is gone");
    done += static_cast<size_t>(got);
  }
  return true;
}

void Channel::write_all(int to, const void* from, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t put = write(to, static_cast<const char*>(from) + done, bytes - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw ChannelBroken("the other process is gone");
    done += static_cast<size_t>(put);
  }
}

void Channel::send(const Message& message) {
  if (out_ < 0) return;
  const Head head{static_cast<uint32_t>(message.kind_), 0, message.body_.size()};
  write_all(out_, &head, sizeof head);
  write_all(out_, message.body_.data(), message.body_.size());
}

bool Channel::receive(Message& message) {
  Head head;
  if (!read_all(&head, sizeof head, true)) return false;
  if (head.bytes > kLargestBody) throw ChannelBroken("a message is too long");
  message = Message(static_cast<MessageKind>(head.kind));
  // In parts, so that a length alone takes no memory.
  while (message.body_.size() < head.bytes) {
    const uint64_t done = message.body_.size();
    const uint64_t part = std::min(head.bytes - done, kLargestPart);
    message.body_.resize(done + part);
    read_all(message.body_.data() + done, part, false);
  }
  if (log_ >= 0) {
    write_all(log_, &head, sizeof head);
    write_all(log_, message.body_.data(), message.body_.size());
  }
  return true;
}

Message Channel::expect(MessageKind kind) {
  Message message;
  if (!receive(message) || message.kind() != kind) throw ChannelBroken("another message was expected");
  return message;
}

}  // namespace cuset_emulator
