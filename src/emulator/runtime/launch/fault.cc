#include "runtime/launch/fault.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {
namespace {

constexpr int kIllegalAddress = 700;
constexpr int kMisalignedAddress = 716;
constexpr int kLaunchFailure = 719;
constexpr int kIllegalInstruction = 715;
constexpr size_t kSignalStackBytes = 64 * 1024;

struct Guard {
  sigjmp_buf leave;
  bool active = false;
  int error = 0;
  char explanation[400] = {};
  bool by_call = false;
};

thread_local Guard guard;

void describe_signal(int signal, const siginfo_t& info) {
  const void* address = info.si_addr;
  switch (signal) {
    case SIGSEGV:
      guard.error = kIllegalAddress;
      std::snprintf(guard.explanation, sizeof guard.explanation, "an illegal memory access at address %p",
                    address);
      break;
    case SIGBUS:
      guard.error = info.si_code == BUS_ADRALN ? kMisalignedAddress : kIllegalAddress;
      std::snprintf(guard.explanation, sizeof guard.explanation, "a memory access failed at address %p",
                    address);
      break;
    case SIGILL:
      guard.error = kIllegalInstruction;
      std::snprintf(guard.explanation, sizeof guard.explanation, "an illegal instruction at %p", address);
      break;
    default:
      guard.error = kLaunchFailure;
      std::snprintf(guard.explanation, sizeof guard.explanation, "signal %d in device code", signal);
  }
}

// In device code: leaves the launch. Elsewhere the signal means what it always means.
void on_signal(int signal, siginfo_t* info, void*) {
  if (!guard.active) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  describe_signal(signal, *info);
  guard.active = false;
  siglongjmp(guard.leave, 1);
}

void install_handlers() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&action.sa_mask);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) ::sigaction(signal, &action, nullptr);
}

// A stack of its own for handlers, so that a stack overflow in device code can be told.
struct SignalStack {
  SignalStack() {
    memory = ::mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = kSignalStackBytes;
    ::sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (memory == MAP_FAILED) return;
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    ::sigaltstack(&off, nullptr);
    ::munmap(memory, kSignalStackBytes);
  }
  void* memory = MAP_FAILED;
};

}  // namespace

void fail_launch(int error, std::string_view explanation) {
  if (!guard.active) std::abort();
  guard.error = error;
  const size_t length = std::min(explanation.size(), sizeof guard.explanation - 1);
  std::memcpy(guard.explanation, explanation.data(), length);
  guard.explanation[length] = '\0';
  guard.by_call = true;
  guard.active = false;
  siglongjmp(guard.leave, 1);
}

bool in_device_code() { return guard.active; }

Fault guarded(void (*work)(void*), void* argument) {
  static std::once_flag installed;
  std::call_once(installed, install_handlers);
  static thread_local SignalStack stack;
  guard.error = 0;
  guard.by_call = false;
  // Signals stay unblocked (SA_NODEFER), so their mask need not be saved.
  if (sigsetjmp(guard.leave, 0) == 0) {
    guard.active = true;
    work(argument);
    guard.active = false;
    return {};
  }
  Fault fault{guard.error, guard.explanation};
  if (guard.by_call) {
    std::memcpy(fault.block, cuset_context.block_index, sizeof fault.block);
    std::memcpy(fault.thread, cuset_context.thread_index, sizeof fault.thread);
  }
  return fault;
}

}  // namespace cuset_emulator
