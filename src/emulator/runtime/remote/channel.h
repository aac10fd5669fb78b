// Messages between a program and the process that is its device (docs/proof-of-work.md): two named pipes in
// one folder. A message is its kind, the length of its body, and the body; numbers as they lie in memory.
//
// The two processes do not trust each other: a reader checks every length before it believes it.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cuset_emulator {

enum class MessageKind : uint32_t {
  kHello = 1,  // the bases of both arenas; answered by kVariables
  kVariables,  // what the device is, and the variables of device code
  kLoad,       // device code that the program brings along; answered by kLoaded
  kLoaded,
  kAllocate,
  kFree,
  kWrite,  // a box of bytes into the device's memory
  kRead,   // answered by kBytes
  kBytes,
  kCopy,
  kFill,
  kLaunch,  // answered by kLaunched
  kLaunched,
  kReset,        // variables get their first values back
  kShare,        // a variable's name: it is managed
  kTexture,      // a texture object; answered by kTextureMade
  kTextureMade,  // an error, and the handle
  kDestroyTexture,
};

struct ChannelBroken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Message {
 public:
  explicit Message(MessageKind kind = MessageKind::kHello) : kind_(kind) {}

  MessageKind kind() const { return kind_; }

  template <class T>
  Message& put(const T& value) {
    return put_bytes(&value, sizeof value);
  }
  Message& put_text(std::string_view text) {
    put(static_cast<uint64_t>(text.size()));
    return put_bytes(text.data(), text.size());
  }
  Message& put_bytes(const void* bytes, size_t count);

  // The next of what was put; throw ChannelBroken where the message ends before.
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take_bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take_text();
  std::span<char> take_bytes(size_t count);
  std::span<char> rest() { return std::span(body_).subspan(taken_); }

 private:
  friend class Channel;
  MessageKind kind_;
  std::vector<char> body_;
  size_t taken_ = 0;
};

class Channel {
 public:
  // The ends of the program and of its device. Waits until the other end is there. Throws ChannelBroken.
  static Channel of_program(const std::string& folder);
  static Channel of_device(const std::string& folder);
  // Takes messages from a file that log_to() made; what is sent goes nowhere.
  static Channel of_file(const std::string& path);
  Channel(Channel&& other) noexcept;
  ~Channel();

  void send(const Message& message);  // throws ChannelBroken
  // False where the other end is gone; throws ChannelBroken in the middle of a message.
  bool receive(Message& message);
  Message expect(MessageKind kind);      // throws ChannelBroken for anything else
  void log_to(const std::string& path);  // from now on every message that is received

 private:
  Channel(int in, int out) : in_(in), out_(out) {}
  bool read_all(void* to, size_t bytes, bool may_end);
  static void write_all(int to, const void* from, size_t bytes);

  int in_;
  int out_;
  int log_ = -1;
};

}  // namespace cuset_emulator
