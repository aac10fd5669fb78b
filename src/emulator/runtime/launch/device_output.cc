#include "runtime/launch/device_output.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cuset_emulator/abi.h"
#include "runtime/launch/recorder.h"

namespace cuset_emulator {
namespace {

constexpr size_t kDefaultLimit = 1 << 20;
constexpr size_t kLongestText = 1 << 16;
constexpr size_t kLaunchLimit = 64 << 20;  // characters of one launch kept until its end

struct Line {
  uint64_t block = 0;
  size_t cost = 0;  // of the GPU's buffer
  std::string text;
};

struct Output {
  std::mutex mutex;
  std::vector<Line> launch;  // of the running launch, in the order of arrival
  size_t launch_bytes = 0;
  std::deque<Line> waiting;
  size_t waiting_cost = 0;
  size_t limit = kDefaultLimit;
  std::atomic<bool> any{false};
};

Output& output() {
  static Output& instance = *new Output;
  return instance;
}

// The conversions of a printf format; -1 if it has %n, which device code must not use.
int count_conversions(const char* format) {
  int count = 0;
  for (const char* at = format; *at; ++at) {
    if (*at != '%') continue;
    at += 1 + std::strspn(at + 1, "-+ #0123456789.*hlLqjzt");
    if (*at == 'n') return -1;
    if (*at == 0) break;
    if (*at != '%') ++count;
  }
  return count;
}

std::string formatted(const char* format, va_list arguments) {
  char small[512];
  va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(small, sizeof(small), format, arguments);
  std::string text;
  if (length >= static_cast<int>(sizeof(small))) {
    text.resize(std::min<size_t>(length, kLongestText) + 1);
    std::vsnprintf(text.data(), text.size(), format, again);
    text.pop_back();
  } else if (length > 0) {
    text.assign(small, length);
  }
  va_end(again);
  return text;
}

void add_line(Line line) {
  std::lock_guard lock(output().mutex);
  if (output().launch_bytes + line.text.size() > kLaunchLimit) return;
  output().launch_bytes += line.text.size();
  output().launch.push_back(std::move(line));
  output().any = true;
}

uint64_t linear_block(const CusetContext& context) {
  return context.block_index[0] +
         uint64_t{context.grid_dim[0]} *
             (context.block_index[1] + uint64_t{context.grid_dim[1]} * context.block_index[2]);
}

}  // namespace

void end_of_launch_output() {
  if (!output().any) return;
  std::lock_guard lock(output().mutex);
  std::stable_sort(output().launch.begin(), output().launch.end(),
                   [](const Line& a, const Line& b) { return a.block < b.block; });
  for (Line& line : output().launch) {
    output().waiting_cost += line.cost;
    output().waiting.push_back(std::move(line));
    while (output().waiting_cost > output().limit && !output().waiting.empty()) {
      output().waiting_cost -= output().waiting.front().cost;
      output().waiting.pop_front();
    }
  }
  output().launch.clear();
  output().launch_bytes = 0;
}

void flush_device_output() {
  if (!output().any) return;
  std::lock_guard lock(output().mutex);
  for (const Line& line : output().waiting) std::fwrite(line.text.data(), 1, line.text.size(), stdout);
  output().waiting.clear();
  output().waiting_cost = 0;
  output().any = !output().launch.empty();
}

void note_lost_device_output() {
  std::lock_guard lock(output().mutex);
  size_t lines = output().waiting.size() + output().launch.size();
  if (lines == 0) return;
  record_finding({.kind = "note",
                  .kernel = "",
                  .text = "the program ended without synchronising: " + std::to_string(lines) +
                          " printf calls of kernels were never seen"});
}

size_t device_output_limit() {
  std::lock_guard lock(output().mutex);
  return output().limit;
}

void set_device_output_limit(size_t bytes) {
  std::lock_guard lock(output().mutex);
  output().limit = bytes;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

int cuset_device_vprintf(const char* format, __builtin_va_list arguments) {
  if (!format) return -1;
  int conversions = count_conversions(format);
  Line line;
  line.block = linear_block(cuset_context);
  line.cost = 16 + 8 * static_cast<size_t>(std::max(conversions, 0));
  line.text = conversions < 0 ? std::string(format) : formatted(format, arguments);
  add_line(std::move(line));
  return conversions;
}

int cuset_device_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = cuset_device_vprintf(format, arguments);
  va_end(arguments);
  return result;
}

}  // extern "C"
