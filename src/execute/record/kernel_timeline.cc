#include "execute/record/kernel_timeline.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/line_seal.h"
#include "emulator/timeline_variable.h"

namespace cuset::execute {
namespace {

constexpr uint64_t kMostBytes = 256ull << 20;  // of one file; an honest program's has some hundred KiB

// The text up to the next blank, which is taken away as well.
std::string_view take_word(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool take_number(std::string_view& text, uint64_t& number) {
  const std::string_view word = take_word(text);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// "4,2,1".
bool take_sizes(std::string_view& text, uint32_t (&sizes)[3]) {
  const std::string_view word = take_word(text);
  const char *at = word.data(), *const end = at + word.size();
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return false;
    const auto [next, error] = std::from_chars(at, end, sizes[i]);
    if (error != std::errc()) return false;
    at = next;
  }
  return at == end;
}

bool parse_kernel(std::string_view text, DeviceActivity& activity) {
  if (!take_number(text, activity.stream) || !take_sizes(text, activity.grid) ||
      !take_sizes(text, activity.block))
    return false;
  if (!take_number(text, activity.shared_bytes) || !take_number(text, activity.static_shared_bytes) ||
      !take_number(text, activity.local_bytes) || !take_number(text, activity.registers))
    return false;
  activity.name = text;
  return !text.empty();
}

}  // namespace

bool parse_activity(std::string_view line, DeviceActivity& activity) {
  const std::string_view kind = take_word(line);
  activity = {};
  if (kind == "N" || kind == "L") {
    activity.kind = kind == "N" ? DeviceActivity::Kind::kNote : DeviceActivity::Kind::kLaunch;
    activity.name = line;
    return !line.empty();
  }
  if (kind == "R") {
    activity.kind = DeviceActivity::Kind::kResult;
    uint64_t given = 0;
    const bool is_whole = take_number(line, activity.digest) && take_number(line, given) && given < 2 &&
                          base::read_sketch(take_word(line), activity.sketch) && !line.empty();
    activity.is_given = given == 1;
    activity.name = line;
    return is_whole;
  }
  if (kind == "H") {
    activity.kind = DeviceActivity::Kind::kHostCopy;
    return take_number(line, activity.digest) && line.empty();
  }
  if (!take_number(line, activity.start) || !take_number(line, activity.end) || activity.end < activity.start)
    return false;
  if (kind == "K") return parse_kernel(line, activity);
  if (kind == "C") {
    activity.kind = DeviceActivity::Kind::kCopy;
    activity.name = take_word(line);
    return take_number(line, activity.bytes);
  }
  activity.kind = DeviceActivity::Kind::kFill;
  return kind == "S" && take_number(line, activity.bytes);
}

KernelTimelineFile::KernelTimelineFile(std::filesystem::path path)
    : path_(std::move(path)), file_(base::open_file(path_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)) {
  // The program may run under another user's number inside the sandbox.
  ::fchmod(file_.get(), 0666);
}

KernelTimelineFile::~KernelTimelineFile() { ::unlink(path_.c_str()); }

void KernelTimelineFile::announce_in(std::map<std::string, std::string>& environment) const {
  environment[CUSET_TIMELINE_VARIABLE] = path_.string();
}

std::vector<DeviceActivity> KernelTimelineFile::read_new() {
  struct stat about{};
  if (::fstat(file_.get(), &about) != 0) throw base::file_error("read", path_, errno);
  const auto size = static_cast<uint64_t>(about.st_size);
  std::vector<DeviceActivity> activities;
  if (size < read_ || size > kMostBytes) damaged_ = true;
  if (damaged_ || size == read_) return activities;
  std::string text(size - read_, '\0');
  const ssize_t got = ::pread(file_.get(), text.data(), text.size(), static_cast<off_t>(read_));
  if (got < 0) throw base::file_error("read", path_, errno);
  text.resize(static_cast<size_t>(got));
  read_ += text.size();
  text.insert(0, partial_);
  size_t at = 0;
  for (size_t end = text.find('\n'); end != text.npos; at = end + 1, end = text.find('\n', at)) {
    DeviceActivity activity;
    std::string_view line = std::string_view(text).substr(at, end - at);
    const bool is_whole = !seal_key_ || base::take_seal(line, lines_++, *seal_key_);
    if (is_whole && parse_activity(line, activity))
      activities.push_back(std::move(activity));
    else
      damaged_ = true;
  }
  partial_ = text.substr(at);
  return activities;
}

double span_us(const std::vector<DeviceActivity>& activities) {
  uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;
  for (const DeviceActivity& activity : activities) {
    if (!activity.is_work()) continue;
    first = std::min(first, activity.start);
    last = std::max(last, activity.end);
  }
  return last > first ? static_cast<double>(last - first) * 1e-3 : 0;
}

}  // namespace cuset::execute
