#include "benchmarks/kernelbench/module_session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/json/json_cursor.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr int kBetweenLooksMs = 20;
constexpr size_t kLongestReply = 4 << 20;
constexpr size_t kHexDigits = 16;  // of a double

base::FileDescriptor make_pipe(const fs::path& path, int flags) {
  fs::remove_all(path);
  if (::mkfifo(path.c_str(), 0600) != 0) throw base::file_error("make", path, errno);
  base::FileDescriptor file = base::open_file(path, flags | O_NOFOLLOW | O_NONBLOCK);
  ::fchmod(file.get(), 0666);  // the process may run under another user's number
  return file;
}

std::optional<double> double_of_hex(std::string_view digits) {
  uint64_t bits = 0;
  for (size_t byte = 0; byte < sizeof bits; ++byte) {
    unsigned value = 0;
    const char* const at = digits.data() + 2 * byte;
    const auto [end, error] = std::from_chars(at, at + 2, value, 16);
    if (error != std::errc() || end != at + 2) return std::nullopt;
    bits |= uint64_t{value} << (8 * byte);
  }
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

std::vector<double> doubles_of_hex(std::string_view text) {
  std::vector<double> numbers;
  for (; text.size() >= kHexDigits; text.remove_prefix(kHexDigits)) {
    const std::optional<double> number = double_of_hex(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

template <typename Element>
uint64_t checksum_of_elements(std::string_view bytes, uint64_t factor, uint64_t offset) {
  uint64_t sum = 0;
  for (uint64_t i = 0; (i + 1) * sizeof(Element) <= bytes.size(); ++i) {
    Element element;
    std::memcpy(&element, bytes.data() + i * sizeof(Element), sizeof element);
    sum += static_cast<uint64_t>(static_cast<int64_t>(element)) * (i * factor + offset);
  }
  return sum;
}

}  // namespace

ModuleChannel::ModuleChannel(const fs::path& folder)
    // Readable too, so that writing never finds a pipe without a reader.
    : commands_(make_pipe(folder / "commands", O_RDWR)), replies_(make_pipe(folder / "replies", O_RDONLY)) {}

std::optional<ModuleChannel::Reply> ModuleChannel::ask(const std::string& command) {
  const std::string line = command + "\n";
  stop_waiting();
  const auto start = Clock::now();
  if (::write(commands_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return std::nullopt;
  const std::optional<std::string> text = read_line();
  const std::chrono::duration<double, std::micro> passed = Clock::now() - start;
  waits_since_ = Clock::now().time_since_epoch().count();
  if (!text) return std::nullopt;
  auto parsed = base::try_parse_json(*text);
  base::Json* value = std::get_if<base::Json>(&parsed);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  return Reply{std::move(*value), passed.count()};
}

void ModuleChannel::end() {
  stop_waiting();
  [[maybe_unused]] const ssize_t written = ::write(commands_.get(), "end\n", 4);
}

void ModuleChannel::stop_waiting() {
  if (const Clock::rep since = waits_since_.exchange(0); since != 0)
    waited_ += Clock::now().time_since_epoch().count() - since;
}

std::chrono::milliseconds ModuleChannel::waited() const {
  const Clock::rep since = waits_since_, before = waited_;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      Clock::duration(before + (since == 0 ? 0 : now - since)));
}

std::optional<std::string> ModuleChannel::read_line() {
  while (received_.size() < kLongestReply) {
    if (const size_t end = received_.find('\n'); end != received_.npos) {
      std::string line = received_.substr(0, end);
      received_.clear();  // one reply to a command: what follows was not asked for
      return line;
    }
    const bool had_ended = ended_;
    char buffer[64 << 10];
    const ssize_t count = ::read(replies_.get(), buffer, sizeof buffer);
    if (count > 0) {
      received_.append(buffer, static_cast<size_t>(count));
      continue;
    }
    if (had_ended) return std::nullopt;
    pollfd waiting{replies_.get(), POLLIN, 0};
    ::poll(&waiting, 1, kBetweenLooksMs);
    // The other end is not open: poll does not wait.
    if ((waiting.revents & POLLIN) == 0 && (waiting.revents & POLLHUP) != 0) ::usleep(1000);
  }
  return std::nullopt;
}

std::vector<execute::DeviceActivity> ModuleSession::slice() {
  std::vector<execute::DeviceActivity> read;
  if (timeline_ == nullptr) return read;
  collect(read);
  // The device is idle whenever a slice is taken, but what it did may be on its way.
  for (int attempt = 0; !first_unseen().empty() && attempt < kFlushAttempts; ++attempt) {
    ::usleep(1000);
    if (!channel_.ask("flush")) break;
    collect(read);
  }
  if (const std::string hidden = first_unseen(); !hidden.empty())
    tampering_ = fmt::format("it hides kernels: {}", base::in_quotes(hidden, 120));
  return read;
}

void ModuleSession::collect(std::vector<execute::DeviceActivity>& activities) {
  using Kind = execute::DeviceActivity::Kind;
  for (execute::DeviceActivity& activity : timeline_->read_new()) {
    if (activity.kind == Kind::kLaunch) ++unseen_[activity.name];
    if (activity.kind == Kind::kKernel) --unseen_[activity.name];  // out of graphs: without a launch
    if (activity.kind == Kind::kNote && activity.name == "restarted")
      tampering_ = "it interrupted the recording of its kernels";
    if (activity.kind == Kind::kNote && activity.name == "unwaited_stream")
      tampering_ = "its call leaves work on a stream that neither the caller's stream nor the host waits for";
    if (activity.kind != Kind::kLaunch) activities.push_back(std::move(activity));
  }
}

std::string ModuleSession::first_unseen() const {
  const auto found =
      std::find_if(unseen_.begin(), unseen_.end(), [](const auto& kernel) { return kernel.second > 0; });
  return found == unseen_.end() ? "" : found->first;
}

std::string ModuleSession::find_tampering() const {
  if (timeline_ != nullptr && timeline_->is_damaged())
    return "its record of what it did on the device was changed";
  return tampering_;
}

bool ModuleSession::prepare(const std::string& command, ModuleCall& call) {
  const std::optional<ModuleChannel::Reply> reply = channel_.ask(command);
  if (!reply) return false;
  call.between_us += reply->us;
  call.outside = slice();
  return true;
}

bool ModuleSession::load() { return channel_.ask("load").has_value(); }

bool ModuleSession::construct(const fs::path& folder) {
  const std::optional<ModuleChannel::Reply> reply =
      channel_.ask(folder.empty() ? "construct" : fmt::format("construct {}", folder.string()));
  if (!reply) return false;
  const base::Json& missing = base::json_list(reply->value, "missing");
  if (!missing.empty() && missing[0].is_string()) missing_weight_ = missing[0].get<std::string>();
  return true;
}

bool ModuleSession::make() { return channel_.ask("make").has_value(); }

bool ModuleSession::warm_up(int milliseconds) {
  return channel_.ask(fmt::format("warm {}", milliseconds)).has_value();
}

bool ModuleSession::take_file(const TrialFile& file, ModuleCall& call) {
  return prepare(fmt::format("file {} {} {} {}", file.trial, file.seed, file.word, file.folder.string()),
                 call);
}

bool ModuleSession::take_seed(uint32_t seed, ModuleCall& call) {
  return prepare(fmt::format("seed {}", seed), call);
}

bool ModuleSession::run(ModuleCall& call) {
  const std::optional<ModuleChannel::Reply> done = channel_.ask("call");
  if (!done) return false;
  call.wall_us = done->us;
  const std::optional<ModuleChannel::Reply> flushed = channel_.ask("flush");
  if (!flushed) return false;
  call.inside = slice();
  const base::Json& event = base::json_member(flushed->value, "event_ms");
  const double event_us = event.is_number() ? 1000 * event.get<double>() : 0;
  call.event_us = std::isfinite(event_us) ? event_us : 0;
  return true;
}

bool ModuleSession::compute_exactly() {
  if (!channel_.ask("exact") || !channel_.ask("flush")) return false;
  slice();
  return true;
}

bool ModuleSession::take_digest(uint32_t secret, ModuleCall& call) {
  const std::optional<ModuleChannel::Reply> reply = channel_.ask(fmt::format("digest {}", secret));
  if (!reply) return false;
  call.between_us += reply->us;
  for (const base::Json& digest : base::json_list(reply->value, "digests"))
    call.digests.push_back(digest.is_string() ? doubles_of_hex(digest.get<std::string>())
                                              : std::vector<double>());
  return true;
}

bool ModuleSession::check_inputs(uint32_t factor, uint32_t offset, ModuleCall& call) {
  const std::optional<ModuleChannel::Reply> reply = channel_.ask(fmt::format("check {} {}", factor, offset));
  if (!reply) return false;
  for (const base::Json& sum : base::json_list(reply->value, "checksums"))
    call.input_sums.push_back(sum.is_number_unsigned() ? std::optional(sum.get<uint64_t>()) : std::nullopt);
  return true;
}

bool ModuleSession::keep(const std::string& name, ModuleCall& call) {
  std::optional<ModuleChannel::Reply> reply = channel_.ask("keep " + name);
  if (!reply) return false;
  call.kept = std::move(reply->value);
  return true;
}

uint64_t checksum_of(std::string_view bytes, size_t element_bytes, uint32_t factor, uint32_t offset) {
  switch (element_bytes) {
    case 1:
      return checksum_of_elements<uint8_t>(bytes, factor, offset);
    case 2:
      return checksum_of_elements<int16_t>(bytes, factor, offset);
    case 4:
      return checksum_of_elements<int32_t>(bytes, factor, offset);
    default:
      return checksum_of_elements<int64_t>(bytes, factor, offset);
  }
}

}  // namespace cuset::benchmarks
