// What device code asks of the runtime besides waiting: assertions, traps, clocks, the end as unsupported.
#include <ctime>

#include <cstdio>
#include <string>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/error_codes.h"
#include "runtime/fault.h"
#include "runtime/recorder.h"

namespace cuset_emulator {
namespace {

std::string in_brackets(const uint32_t (&index)[3]) {
  return "[" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]) +
         "]";
}

uint64_t nanoseconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

void cuset_unsupported(const char* construct) {
  end_as_unsupported(construct ? construct : "an unnamed construct");
}

void cuset_trap() { fail_launch(cudaErrorLaunchFailure, "__trap() was called"); }

void cuset_device_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  std::string text = std::string(file ? file : "?") + ":" + std::to_string(line) + ": " +
                     (function ? function : "?") + ": block: " + in_brackets(cuset_context.block_index) +
                     ", thread: " + in_brackets(cuset_context.thread_index) + " Assertion `" +
                     (expression ? expression : "?") + "` failed.";
  std::fprintf(stderr, "%s\n", text.c_str());
  fail_launch(cudaErrorAssert, text);
}

uint64_t cuset_device_clock() { return nanoseconds(CLOCK_MONOTONIC); }
uint64_t cuset_device_global_timer() { return nanoseconds(CLOCK_REALTIME); }

}  // extern "C"
