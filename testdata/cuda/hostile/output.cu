// Ten gigabytes of output in every way: to the pipes, to files, from the device, from children.
#include "hostile.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

namespace {

constexpr uint64_t kTenGigabytes = 10ull << 30;

[[maybe_unused]] void flood(int file, char fill) {
  static char bytes[1 << 16];
  memset(bytes, fill, sizeof(bytes));
  for (uint64_t done = 0; done < kTenGigabytes;) {
    const ssize_t count = write(file, bytes, sizeof(bytes));
    if (count <= 0) return;
    done += static_cast<uint64_t>(count);
  }
}

}  // namespace

__global__ void print_without_end(int lines) {
  for (int i = 0; i < lines; ++i)
    printf("thread %d of block %d, line %d of very many\n", threadIdx.x, blockIdx.x, i);
}

#if TRICK == 1  // standard output
void attack(const World&) { flood(1, 'x'); }
#elif TRICK == 2   // standard error
void attack(const World&) { flood(2, 'x'); }
#elif TRICK == 3   // both in turns, by lines
void attack(const World&) {
  for (uint64_t i = 0; i < kTenGigabytes / 32; ++i)
    fprintf(i % 2 == 0 ? stdout : stderr, "line %llu\n", (unsigned long long)i);
}
#elif TRICK == 4   // printf of the device
void attack(const World&) {
  for (int i = 0; i < 100000; ++i) {
    print_without_end<<<64, 64>>>(1000);
    cudaDeviceSynchronize();
  }
}
#elif TRICK == 5   // one file
void attack(const World&) { flood(open("large", O_CREAT | O_WRONLY, 0666), 'x'); }
#elif TRICK == 6   // many files of sixteen megabytes
void attack(const World&) {
  static char bytes[1 << 20];
  for (int i = 0; i < 640; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "file%d", i);
    const int file = open(name, O_CREAT | O_WRONLY, 0666);
    for (int k = 0; k < 16; ++k) {
      if (write(file, bytes, sizeof(bytes)) < 0) return;
    }
    close(file);
  }
}
#elif TRICK == 7   // a sparse file of a terabyte
void attack(const World&) {
  const int file = open("sparse", O_CREAT | O_RDWR, 0666);
  if (ftruncate(file, 1ll << 40) != 0) perror("ftruncate");
  if (pwrite(file, "x", 1, (1ll << 40) - 1) != 1) perror("pwrite");
}
#elif TRICK == 8   // the pipe opened again by name
void attack(const World&) { flood(open("/dev/stdout", O_WRONLY), 'x'); }
#elif TRICK == 9   // the pipe opened again through /proc, without waiting
void attack(const World&) {
  const int file = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK);
  for (uint64_t i = 0; i < 1u << 30; ++i) {
    if (write(file, "0123456789abcdef", 16) < 0 && errno != EAGAIN) return;
  }
}
#elif TRICK == 10  // zero bytes
void attack(const World&) { flood(1, '\0'); }
#elif TRICK == 11  // bytes that are no UTF-8
void attack(const World&) { flood(1, '\xff'); }
#elif TRICK == 12  // sequences that clear a terminal, set its title and answer for it
void attack(const World&) {
  for (int i = 0; i < 1000; ++i) printf("\x1b[2J\x1b]0;owned\x07\x1b[6n\x1bP$q\"p\x1b\\\r\b\x7f");
}
#elif TRICK == 13  // one write of a gigabyte from a mapping
void attack(const World&) {
  const size_t size = 256 << 20;
  char* bytes = static_cast<char*>(calloc(size, 1));
  iovec parts[4];
  for (iovec& part : parts) part = {bytes, size};
  for (int i = 0; i < 10; ++i) {
    if (writev(1, parts, 4) <= 0) return;
  }
}
#elif TRICK == 14  // spliced from /dev/zero, without touching it
void attack(const World&) {
  const int zero = open("/dev/zero", O_RDONLY);
  for (uint64_t done = 0; done < kTenGigabytes;) {
    const ssize_t count = sendfile(1, zero, nullptr, 1 << 20);
    if (count <= 0) return;
    done += static_cast<uint64_t>(count);
  }
}
#elif TRICK == 15  // a child that writes when the parent has ended
void attack(const World&) {
  if (fork() == 0) {
    setsid();
    flood(1, 'c');
  }
}
#elif TRICK == 16  // the pipe made non-blocking and as large as it gets
void attack(const World&) {
  fcntl(1, F_SETFL, O_NONBLOCK);
  fcntl(1, F_SETPIPE_SZ, 1 << 20);
  for (int i = 0; i < 1 << 24; ++i) {
    if (write(1, "0123456789abcdef", 16) < 0 && errno != EAGAIN) return;
  }
}
#elif TRICK == 17  // one byte every tenth of a second, for ever
void attack(const World&) {
  for (;;) {
    if (write(2, ".", 1) < 0) return;
    usleep(100000);
  }
}
#elif TRICK == 18  // space reserved without writing
void attack(const World&) {
  const int file = open("reserved", O_CREAT | O_WRONLY, 0666);
  for (int i = 0; i < 64; ++i) {
    if (fallocate(file, 0, static_cast<off_t>(i) << 30, 1 << 30) != 0) perror("fallocate");
  }
}
#elif TRICK == 19  // a file that grows past the limit with SIGXFSZ ignored, by a hundred descriptors
void attack(const World&) {
  signal(SIGXFSZ, SIG_IGN);
  for (int i = 0; i < 100; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "grow%d", i);
    flood(open(name, O_CREAT | O_WRONLY, 0666), 'x');
  }
}
#elif TRICK == 20  // closed output, and a kernel that prints
void attack(const World&) {
  close(1);
  close(2);
  print_without_end<<<8, 32>>>(1000);
  cudaDeviceSynchronize();
}
#endif
