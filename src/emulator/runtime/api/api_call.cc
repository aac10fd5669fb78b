#include "runtime/api/api_call.h"

#include "runtime/api/deferred_work.h"
#include "runtime/launch/device_output.h"
#include "runtime/memory/device_gate.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {

// Never destroyed: the program's own destructors may still call.
std::recursive_mutex& device_mutex() {
  static std::recursive_mutex& instance = *new std::recursive_mutex;
  return instance;
}

void synchronize_device() {
  finish_all_streams();
  settle_device();
}

void settle_device() {
  device_gate().close_now();
  flush_device_output();
  show_waiting_fault();
}

}  // namespace cuset_emulator
