#include "execute/record/injection/timeline_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include "base/kernel_name.h"

namespace cuset_injection {
namespace {

constexpr size_t kLongestName = 400;

std::string joined(std::initializer_list<uint64_t> numbers, char between) {
  std::string text;
  for (const uint64_t number : numbers) {
    if (!text.empty()) text += between;
    text += std::to_string(number);
  }
  return text;
}

// A name of the program's own choice must not end its line.
std::string one_line(std::string name) {
  name.resize(std::min(name.size(), kLongestName));
  for (char& letter : name) {
    if (letter < 0x20 || letter > 0x7e) letter = '?';
  }
  return name;
}

}  // namespace

TimelineWriter* TimelineWriter::get() {
  static TimelineWriter* const writer = [] {
    const char* path = std::getenv(CUSET_TIMELINE_VARIABLE);
    const int file = path == nullptr ? -1 : ::open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    return file < 0 ? nullptr : new TimelineWriter(file);
  }();
  return writer;
}

void TimelineWriter::add(const std::string& line) {
  const std::lock_guard guard(mutex_);
  pending_ += line;
  pending_ += '\n';
}

// Taking a long name apart costs as much as a launch.
std::string TimelineWriter::name_of(const char* mangled) {
  const std::lock_guard guard(mutex_);
  const auto [found, added] = names_.try_emplace(mangled == nullptr ? "?" : mangled);
  if (added) found->second = one_line(cuset::base::kernel_name(mangled));
  return found->second;
}

void TimelineWriter::kernel(const TimelineKernel& kernel) {
  const uint32_t *grid = kernel.shape.grid, *block = kernel.shape.block;
  add("K " + joined({kernel.start, kernel.end, kernel.stream}, ' ') + ' ' +
      joined({grid[0], grid[1], grid[2]}, ',') + ' ' + joined({block[0], block[1], block[2]}, ',') + ' ' +
      joined({kernel.use.shared_bytes, kernel.use.static_shared_bytes, kernel.use.local_bytes,
              kernel.use.registers},
             ' ') +
      ' ' + name_of(kernel.mangled));
}

void TimelineWriter::launch(const char* mangled) {
  add("L " + name_of(mangled));
  flush();
}

void TimelineWriter::copy(uint64_t start, uint64_t end, const char* kind, uint64_t bytes) {
  add("C " + joined({start, end}, ' ') + ' ' + kind + ' ' + std::to_string(bytes));
}

void TimelineWriter::fill(uint64_t start, uint64_t end, uint64_t bytes) {
  add("S " + joined({start, end, bytes}, ' '));
}

void TimelineWriter::note(const char* word) {
  add(std::string("N ") + word);
  flush();
}

void TimelineWriter::flush() {
  const std::lock_guard guard(mutex_);
  size_t written = 0;
  while (written < pending_.size()) {
    const ssize_t count = ::write(file_, pending_.data() + written, pending_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  pending_.clear();
}

}  // namespace cuset_injection
