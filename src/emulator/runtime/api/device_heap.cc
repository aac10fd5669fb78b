#include "runtime/api/device_heap.h"

#include <atomic>
#include <optional>
#include <string>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/error_codes.h"
#include "runtime/launch/checks.h"
#include "runtime/launch/fault.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

std::atomic<size_t> heap_limit{8 << 20};
std::atomic<size_t> heap_used{0};

bool take_from_heap(size_t bytes) {
  size_t used = heap_used.load();
  do {
    if (bytes > heap_limit || used > heap_limit - bytes) return false;
  } while (!heap_used.compare_exchange_weak(used, used + bytes));
  return true;
}

}  // namespace

size_t device_heap_limit() { return heap_limit; }
void set_device_heap_limit(size_t bytes) { heap_limit = bytes; }

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

void* cuset_device_malloc(size_t bytes) {
  if (bytes == 0 || !take_from_heap(bytes)) return nullptr;
  uint64_t address = allocate_memory(bytes, MemoryKind::kDeviceHeap);
  if (address == 0) heap_used -= bytes;
  return reinterpret_cast<void*>(address);
}

void cuset_device_free(void* memory) {
  if (!memory) return;
  uint64_t address = reinterpret_cast<uint64_t>(memory);
  std::optional<Allocation> found = find_allocation(address);
  if (!found || !free_memory(address, MemoryKind::kDeviceHeap)) {
    const char* text = found && found->freed ? "free in device code of memory already freed"
                                             : "free in device code of memory that its malloc did not give";
    report_invalid_free(text);
    fail_launch(cudaErrorIllegalAddress, text);
  }
  heap_used -= found->bytes;
}

}  // extern "C"
