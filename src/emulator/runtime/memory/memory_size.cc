#include "runtime/memory/memory_size.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "device_account.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kLeast = 64 << 20;

uint64_t machine_memory() {
  long pages = sysconf(_SC_PHYS_PAGES);
  long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : 4ull << 30;
}

// "max" and unreadable files are no limit.
uint64_t limit_in(const char* path) {
  std::ifstream file(path);
  uint64_t bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : UINT64_MAX;
}

}  // namespace

uint64_t presented_memory() {
  if (const char* wanted = std::getenv(CUSET_MEMORY_VARIABLE)) {
    uint64_t bytes = std::strtoull(wanted, nullptr, 10);
    if (bytes > 0) return bytes;
  }
  uint64_t limit = std::min(limit_in("/sys/fs/cgroup/memory.max"),
                            limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  return std::max(kLeast, std::min(machine_memory(), limit) / 4 * 3);
}

}  // namespace cuset_emulator
