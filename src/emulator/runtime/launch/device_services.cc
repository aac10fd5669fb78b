// What device code asks of the runtime besides waiting: assertions, traps, clocks, the end as unsupported.
#include <ctime>

#include <cstdio>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/error_codes.h"
#include "runtime/launch/fault.h"
#include "runtime/launch/recorder.h"

namespace cuset_emulator {
namespace {

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

// Nothing here owns memory: fail_launch does not come back.
void cuset_device_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  const uint32_t(&block)[3] = cuset_context.block_index;
  const uint32_t(&thread)[3] = cuset_context.thread_index;
  char text[1024];
  std::snprintf(text, sizeof text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.",
                file ? file : "?", line, function ? function : "?", block[0], block[1], block[2], thread[0],
                thread[1], thread[2], expression ? expression : "?");
  std::fprintf(stderr, "%s\n", text);
  fail_launch(cudaErrorAssert, text);
}

uint64_t cuset_device_clock() { return nanoseconds(CLOCK_MONOTONIC); }
uint64_t cuset_device_global_timer() { return nanoseconds(CLOCK_REALTIME); }

}  // extern "C"
