#include "runtime/memory/host_memory.h"

#include <cinttypes>
#include <cstdio>

namespace cuset_emulator {

bool is_host_data(uint64_t address) {
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return false;
  bool found = false;
  char line[512];
  bool at_start = true;  // lines longer than the buffer continue
  while (!found && std::fgets(line, sizeof(line), maps)) {
    uint64_t begin = 0, end = 0;
    char access[5] = {};
    if (at_start && std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, access) == 3) {
      found = address >= begin && address < end && access[0] == 'r' && access[1] == 'w' && access[2] != 'x';
    }
    at_start = false;
    for (const char* c = line; *c; ++c) at_start = *c == '\n';
  }
  std::fclose(maps);
  return found;
}

}  // namespace cuset_emulator
