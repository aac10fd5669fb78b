#include "runtime/launch/timeline.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <mutex>
#include <string_view>

#include "base/line_seal.h"
#include "base/unordered_digest.h"
#include "base/value_sketch.h"
#include "cuset_emulator/library_work.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/device_gate.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_map.h"
#include "timeline_variable.h"

namespace cuset_emulator {
namespace {

constexpr size_t kLongestName = 400;

int open_timeline() {
  const char* path = std::getenv(CUSET_TIMELINE_VARIABLE);
  if (path == nullptr) return -1;
  const int file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  unsetenv(CUSET_TIMELINE_VARIABLE);  // programs started by this one must not write into it
  return file;
}

int timeline_file() {
  static const int file = open_timeline();
  return file;
}

// The variable is read before the program's main can look at it or change it. A host that reads device memory by itself
// would not stand in the timeline.
[[gnu::constructor]] void begin_timeline() {
  if (timeline_file() >= 0) device_gate().never_stay_open();
}

// A line is written at once: another thread's does not come into it. What does not arrive is missed when the next line does.
void write_line(std::string line) {
  static std::mutex mutex;
  static uint32_t number = 0;
  const std::lock_guard lock(mutex);
  line = cuset::base::seal_of(line, number++, input_key()) + line + '\n';
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(timeline_file(), line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    written += static_cast<size_t>(count);
  }
}

// A name of the program's own choice must not end its line.
std::string one_line(std::string name) {
  name.resize(std::min(name.size(), kLongestName));
  std::replace_if(name.begin(), name.end(), [](char letter) { return letter < 0x20 || letter > 0x7e; }, '?');
  return name.empty() ? "?" : name;
}

std::string span_until_now(uint64_t start) {
  return std::to_string(start) + ' ' + std::to_string(std::max(start, timeline_now()));
}

const char* known_kind(std::string_view copy) {
  for (const char* kind : {"HtoD", "DtoH", "DtoD"}) {
    if (copy == kind) return kind;
  }
  return "other";
}

struct LibraryWork {
  std::string name;
  uint64_t start = 0;
  int depth = 0;  // work within work is part of it
};

thread_local LibraryWork library_work;

// Where the library's code lies that calls `address` its own; null for none.
const void* base_of(const void* address) {
  Dl_info about{};
  return dladdr(address, &about) != 0 ? about.dli_fbase : nullptr;
}

const void* library_base = nullptr;

using cuset::base::text_of;
using cuset::base::ValueSketch;

ValueSketch sketch_of_reals(const void* elements, uint64_t count, uint32_t element_bytes) {
  if (element_bytes == sizeof(float))
    return cuset::base::sketch_of(count,
                                  [&](uint64_t i) { return double{static_cast<const float*>(elements)[i]}; });
  if (element_bytes == sizeof(double))
    return cuset::base::sketch_of(count, [&](uint64_t i) { return static_cast<const double*>(elements)[i]; });
  return {};
}

}  // namespace

bool has_timeline() { return timeline_file() >= 0; }

uint64_t timeline_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void note_kernel(const std::string& name, const LaunchShape& shape, uint64_t static_shared_bytes,
                 uint64_t nanoseconds) {
  if (!has_timeline()) return;
  const uint64_t shared = static_shared_bytes + shape.dynamic_shared_bytes;
  const uint64_t now = timeline_now();
  write_line("K " + span_until_now(now - std::min(now, nanoseconds)) + " 0 " + sizes_text(shape.grid) + ' ' +
             sizes_text(shape.block) + ' ' + std::to_string(shared) + ' ' +
             std::to_string(static_shared_bytes) + " 0 0 " + one_line(name));
}

void note_copy(uint64_t start, const char* kind, uint64_t bytes) {
  if (has_timeline()) write_line("C " + span_until_now(start) + ' ' + kind + ' ' + std::to_string(bytes));
}

void note_fill(uint64_t start, uint64_t bytes) {
  if (has_timeline()) write_line("S " + span_until_now(start) + ' ' + std::to_string(bytes));
}

void note_word(const char* word) {
  if (has_timeline()) write_line(std::string("N ") + word);
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

void cuset_begin_library(void) {
  if (library_base == nullptr) library_base = base_of(__builtin_return_address(0));
}

// The launch stands in the timeline before the memory is open: work that never ends is missed there.
void cuset_begin_library_work(const char* name) {
  if (library_base == nullptr || base_of(__builtin_return_address(0)) != library_base) return;
  if (library_work.depth++ > 0) return;
  // The namespace tells it from the program's kernels, whatever the name.
  library_work.name = one_line(std::string("at::native::") + (name == nullptr ? "" : name));
  if (has_timeline()) write_line("L " + library_work.name);
  open_device_memory();
  library_work.start = timeline_now();
}

void cuset_note_library_result(const void* elements, uint64_t count, uint32_t element_bytes, int is_real,
                               int is_given) {
  if (library_work.depth != 1 || !has_timeline()) return;
  const uint64_t begin = timeline_now();
  const uint64_t digest = cuset::base::unordered_digest(elements, count, element_bytes);
  const ValueSketch sketch = is_real != 0 ? sketch_of_reals(elements, count, element_bytes) : ValueSketch{};
  write_line("R " + std::to_string(digest) + (is_given != 0 ? " 1 " : " 0 ") + text_of(sketch) + ' ' +
             library_work.name);
  library_work.start += timeline_now() - begin;  // not the library's work
}

void cuset_note_host_copy(const void* elements, uint64_t count, uint32_t element_bytes) {
  if (library_work.depth != 1 || !has_timeline()) return;
  const uint64_t begin = timeline_now();
  write_line("H " + std::to_string(cuset::base::placed_digest(elements, count, element_bytes)));
  library_work.start += timeline_now() - begin;
}

void cuset_end_library_work(uint64_t elements, const char* copy, uint64_t bytes) {
  if (library_work.depth == 0 || --library_work.depth > 0) return;
  close_device_memory();
  if (copy != nullptr) note_copy(library_work.start, known_kind(copy), bytes);
  const auto threads =
      static_cast<uint32_t>(std::min<uint64_t>(elements, std::numeric_limits<uint32_t>::max()));
  note_kernel(library_work.name, {{threads, 1, 1}, {1, 1, 1}}, 0, timeline_now() - library_work.start);
}

}  // extern "C"
