// What the hostile programs of this folder share. A family is one file; -DTRICK=n picks one attack of it, and
// each line
// "#if TRICK == n  // what it does" names one. Each program launches a kernel, as a real answer would, and
// then attacks.
//
// The driver (tests/cuda/hostile_test.cc) tells the program by arguments what it may try to reach:
//   --token=T      a word that names of files and processes of this run carry
//   --driver=PID   the driver's process outside
//   --port=N       where the driver listens on 127.0.0.1; --socket=PATH and --abstract=NAME likewise for Unix
//   sockets
//   --secret=PATH  a file with a secret; --folder=PATH a folder outside of the program's own; both several
//   times
// A program that gets through prints "ESCAPED: ..."; the driver looks for that, for the secrets and for what
// is left.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef TRICK
#error "compile with -DTRICK=1, 2, ..."
#endif

inline void escaped(const char* how) {
  printf("ESCAPED: %s\n", how);
  fflush(stdout);
}

inline void escaped_if(bool through, const char* how) {
  if (through) escaped(how);
}

// The arguments by name.
class World {
 public:
  World(int argc, char** argv) : argc_(argc), argv_(argv) {}

  template <typename Visit>
  void each(const char* name, Visit visit) const {
    const size_t length = strlen(name);
    for (int i = 1; i < argc_; ++i) {
      if (strncmp(argv_[i], name, length) == 0 && argv_[i][length] == '=') visit(argv_[i] + length + 1);
    }
  }
  const char* text(const char* name) const {
    const char* found = "";
    each(name, [&](const char* value) { found = value; });
    return found;
  }
  int number(const char* name) const { return atoi(text(name)); }
  char** arguments() const { return argv_; }

 private:
  int argc_;
  char** argv_;
};

// Copies what can be read of `path` to standard output, at most 64 KiB.
inline void show(const char* path) {
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return;
  char bytes[4096];
  for (int left = 16; left > 0; --left) {
    const ssize_t count = read(file, bytes, sizeof(bytes));
    if (count <= 0) break;
    fwrite(bytes, 1, static_cast<size_t>(count), stdout);
  }
  fflush(stdout);
  close(file);
}

// Tries to leave a file named after this run in `folder`.
inline void leave_file(const World& world, const char* folder) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, world.text("--token"));
  const int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (write(file, "left behind\n", 12) < 0) perror(path);
  close(file);
}

__global__ void begin(int* value) { *value = 1; }

inline void launch_a_kernel() {
  int* value = nullptr;
  if (cudaMalloc(&value, sizeof(int)) != cudaSuccess) return;
  begin<<<1, 1>>>(value);
  cudaDeviceSynchronize();
  cudaFree(value);
}

void attack(const World& world);

int main(int argc, char** argv) {
  launch_a_kernel();
  attack(World(argc, argv));
  return 0;
}
