// The record of what ran, which the runtime keeps in a file mapped into the program: forged, torn, removed,
// replaced. The reader outside must take it for what it is.
#include "hostile.h"

#include <sys/mman.h>

namespace {

// The runtime hides the variable that names the file; the mapping, which is shared and writable, tells where
// it is.
struct Mapping {
  char path[4096] = "no-record";
  char* memory = nullptr;
  size_t size = 0;
};
Mapping find_mapping() {
  Mapping found;
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[5000];
  while (maps != nullptr && fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long start = 0, end = 0;
    const char* path = strchr(line, '/');
    if (path == nullptr || strstr(line, " rw-s ") == nullptr || strncmp(path, "/dev/", 5) == 0) continue;
    if (sscanf(line, "%lx-%lx", &start, &end) != 2 || sscanf(path, "%4095s", found.path) != 1) continue;
    found.memory = reinterpret_cast<char*>(start);
    found.size = end - start;
    break;
  }
  if (maps != nullptr) fclose(maps);
  return found;
}
[[maybe_unused]] const char* record() {
  static const Mapping mapping = find_mapping();
  return mapping.path;
}
[[maybe_unused]] size_t record_size() { return find_mapping().size; }
[[maybe_unused]] char* mapped() {
  char* memory = find_mapping().memory;
  if (memory == nullptr) _exit(3);
  return memory;
}
[[maybe_unused]] void fill(char byte) { memset(mapped(), byte, record_size()); }
[[maybe_unused]] uint32_t* numbers() { return reinterpret_cast<uint32_t*>(mapped()); }

}  // namespace

#if TRICK == 1  // all ones
void attack(const World&) {
  fill('\xff');
  _exit(0);
}
#elif TRICK == 2   // all zeros, as if nothing had run
void attack(const World&) {
  fill('\0');
  _exit(0);
}
#elif TRICK == 3   // texts without an end
void attack(const World&) {
  memset(mapped() + 64, 'A', record_size() - 64);
  _exit(0);
}
#elif TRICK == 4   // more entries than there is room for
void attack(const World&) {
  uint32_t* words = numbers();
  words[2] = words[3] = 0xffffffffu;
  _exit(0);
}
#elif TRICK == 5   // one entry more than there is room for
void attack(const World&) {
  uint32_t* words = numbers();
  words[2] = 513;
  words[3] = 65;
  _exit(0);
}
#elif TRICK == 6   // no bytes at all
void attack(const World&) {
  if (truncate(record(), 0) != 0) perror("truncate");
  _exit(0);
}
#elif TRICK == 7   // half of the bytes
void attack(const World&) {
  if (truncate(record(), static_cast<off_t>(record_size() / 2)) != 0) perror("truncate");
  _exit(0);
}
#elif TRICK == 8   // a terabyte
void attack(const World&) {
  if (truncate(record(), 1ll << 40) != 0) perror("truncate");
  _exit(0);
}
#elif TRICK == 9   // removed
void attack(const World&) {
  if (unlink(record()) != 0) perror("unlink");
}
#elif TRICK == 10  // replaced by a link to a secret
void attack(const World& world) {
  world.each("--secret", [](const char* secret) {
    if (unlink(record()) != 0 || symlink(secret, record()) != 0) perror("symlink");
  });
}
#elif TRICK == 11  // replaced by a FIFO
void attack(const World&) {
  if (unlink(record()) != 0 || mkfifo(record(), 0666) != 0) perror("mkfifo");
}
#elif TRICK == 12  // replaced by a folder
void attack(const World&) {
  if (unlink(record()) != 0 || mkdir(record(), 0777) != 0) perror("mkdir");
}
#elif TRICK == 13  // without permissions
void attack(const World&) { chmod(record(), 0); }
#elif TRICK == 14  // written over and over by a child that stays
void attack(const World&) {
  if (fork() != 0) return;
  setsid();
  char* memory = mapped();
  const size_t size = record_size();
  for (unsigned i = 0;; ++i) memset(memory, static_cast<int>(i), size);
}
#elif TRICK == 15  // control characters and broken UTF-8 as names
void attack(const World&) {
  char* memory = mapped();
  for (size_t i = 64, size = record_size(); i + 8 < size; i += 8) memcpy(memory + i, "\x1b[2J\xff\xfe\n", 8);
  _exit(0);
}
#elif TRICK == 16  // a launch that never was
void attack(const World&) {
  numbers()[2] = 1;
  memcpy(mapped() + 64, "matrix_multiply(float*, float*)", 32);
  _exit(0);
}
#elif TRICK == 17  // the runtime's own mapping taken away
void attack(const World&) {
  const Mapping mapping = find_mapping();
  munmap(mapping.memory, mapping.size);
  launch_a_kernel();
}
#endif
