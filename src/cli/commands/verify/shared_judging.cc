#include "cli/commands/verify/shared_judging.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/machine/machine_share.h"

namespace cuset::cli {
namespace {

using std::chrono::milliseconds;

constexpr size_t kBlock = size_t{1} << 16;
constexpr const char* kInput = "standard input";

// Lines of JSON from standard input and to standard output.
class JsonPipe {
 public:
  // Nothing where no whole line comes within `patience`.
  std::optional<base::Json> receive(milliseconds patience) {
    if (auto line = take_line()) return line;
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
    const size_t size = text_.size();
    text_.resize(size + kBlock);
    const size_t count = base::read_some(STDIN_FILENO, text_.data() + size, kBlock, kInput);
    text_.resize(size + count);
    if (count == 0) throw base::Error("{} ended before the work did", kInput);
    return take_line();
  }

  void send(const base::Json& message) {
    const std::string line = base::to_json_line(message) + "\n";
    const std::lock_guard lock(mutex_);
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t count = write(STDOUT_FILENO, rest.data(), rest.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw base::file_error("write to", "standard output", errno);
      rest.remove_prefix(static_cast<size_t>(count));
    }
  }

 private:
  std::optional<base::Json> take_line() {
    const size_t end = text_.find('\n', begin_);
    if (end == std::string::npos) {
      text_.erase(0, begin_);
      begin_ = 0;
      return std::nullopt;
    }
    const std::string_view line = std::string_view(text_).substr(begin_, end - begin_);
    begin_ = end + 1;
    return base::parse_json(line, kInput);
  }

  std::string text_;  // read and, from begin_ on, not yet taken
  size_t begin_ = 0;
  std::mutex mutex_;
};

class PipeCrew : public judge::Crew {
 public:
  std::optional<Message> receive(milliseconds patience) override {
    const std::optional<base::Json> message = pipe_.receive(patience);
    if (!message) return std::nullopt;
    const base::JsonCursor fields(*message, kInput);
    return Message{fields.at("from").string(), fields.at("body").value()};
  }
  void send(const std::string& helper, const base::Json& body) override {
    pipe_.send({{"to", helper}, {"body", body}});
  }

 private:
  JsonPipe pipe_;
};

class PipeLink : public judge::OwnerLink {
 public:
  std::optional<base::Json> receive(milliseconds patience) override { return pipe_.receive(patience); }
  void send(const base::Json& body) override { pipe_.send(body); }

 private:
  JsonPipe pipe_;
};

class RankCrew : public judge::Crew {
 public:
  explicit RankCrew(train::RankMailbox& mailbox) : mailbox_(mailbox) {}

  std::optional<Message> receive(milliseconds patience) override {
    if (const std::optional<int> lost = mailbox_.take_lost())
      return Message{name_of_rank(*lost), {{"gone", "it gave no sign of life"}}};
    const std::optional<train::RankMessage> message = mailbox_.take(patience);
    if (!message) return std::nullopt;
    const std::string name = name_of_rank(message->from);
    return Message{name, base::parse_json(message->text, name)};
  }
  void send(const std::string& helper, const base::Json& body) override {
    mailbox_.post(std::stoi(helper.substr(kRank.size())), base::to_json_line(body));
  }

 private:
  static constexpr std::string_view kRank = "rank ";
  static std::string name_of_rank(int rank) { return fmt::format("{}{}", kRank, rank); }

  train::RankMailbox& mailbox_;
};

class RankLink : public judge::OwnerLink {
 public:
  explicit RankLink(train::RankMailbox& mailbox) : mailbox_(mailbox) {}

  std::optional<base::Json> receive(milliseconds patience) override {
    const std::optional<train::RankMessage> message = mailbox_.take(patience);
    if (!message) return std::nullopt;
    return base::parse_json(message->text, "rank 0");
  }
  void send(const base::Json& body) override { mailbox_.post(0, base::to_json_line(body)); }

 private:
  train::RankMailbox& mailbox_;
};

}  // namespace

std::unique_ptr<judge::Crew> make_pipe_crew() { return std::make_unique<PipeCrew>(); }
std::unique_ptr<judge::OwnerLink> make_pipe_link() { return std::make_unique<PipeLink>(); }
std::unique_ptr<judge::Crew> make_rank_crew(train::RankMailbox& mailbox) {
  return std::make_unique<RankCrew>(mailbox);
}
std::unique_ptr<judge::OwnerLink> make_rank_link(train::RankMailbox& mailbox) {
  return std::make_unique<RankLink>(mailbox);
}

int workers_of_rank(int64_t wanted, int sharers) {
  if (wanted > 0) return static_cast<int>(wanted);
  return std::max(1, static_cast<int>(base::usable_processors()) / sharers);
}

}  // namespace cuset::cli
