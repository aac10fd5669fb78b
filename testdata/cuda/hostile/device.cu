// Exhausting and abusing the device: its memory, its heap, its launches, its output.
#include "hostile.h"

#include <pthread.h>

__global__ void eat_heap(int* count) {
  while (malloc(1 << 16) != nullptr) atomicAdd(count, 1);
}
__global__ void write_everywhere(char* start, long long step) {
  for (long long i = 0; i < 1 << 20; ++i) start[(i - (1 << 19)) * step] = 1;
}
__global__ void overflow_shared(int n) {
  __shared__ int tile[8];
  for (int i = 0; i < n; ++i) tile[i * 1024 + threadIdx.x] = i;
  __syncthreads();
}
__global__ void overflow_stack(int n) {
  char frame[64];
  for (int i = 0; i < n; ++i) frame[i * 64 + threadIdx.x] = 1;
  if (frame[n % 64] == 2) printf("never\n");
}
__global__ void call_nowhere(void (*function)()) { function(); }
__global__ void trap() { __trap(); }
__global__ void print_wild(const char* text) { printf("%s %s\n", text, text + 4096); }
__global__ void print_wrong(const char* format) { printf("%s%s%s%s%d%n\n", format); }
__global__ void nothing() {}
__global__ void big_frame() {
  volatile char frame[1 << 18];
  frame[threadIdx.x] = 1;
}

namespace {

[[maybe_unused]] void* launch_for_ever(void*) {
  for (;;) nothing<<<1, 32>>>();
}
[[maybe_unused]] void finish() { printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); }

}  // namespace

#if TRICK == 1  // all memory of the device, in pieces, kept
void attack(const World&) {
  void* piece = nullptr;
  size_t size = size_t{1} << 30, total = 0;
  while (size > 4096) {
    if (cudaMalloc(&piece, size) == cudaSuccess) {
      cudaMemset(piece, 1, size);
      total += size;
    } else {
      size /= 2;
    }
  }
  printf("%zu\n", total);
}
#elif TRICK == 2   // more than any device has
void attack(const World&) {
  char* piece = nullptr;
  printf("%s\n", cudaGetErrorName(cudaMalloc(&piece, size_t{1} << 50)));
  write_everywhere<<<1, 1>>>(piece, 1);
  finish();
}
#elif TRICK == 3   // managed memory, touched by the host
void attack(const World&) {
  for (;;) {
    char* piece = nullptr;
    if (cudaMallocManaged(&piece, 64 << 20) != cudaSuccess) return;
    memset(piece, 1, 64 << 20);
  }
}
#elif TRICK == 4   // the device's heap
void attack(const World&) {
  int* count = nullptr;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  eat_heap<<<16, 64>>>(count);
  finish();
}
#elif TRICK == 5   // pinned memory of the host
void attack(const World&) {
  for (;;) {
    char* piece = nullptr;
    if (cudaMallocHost(&piece, 64 << 20) != cudaSuccess) return;
    memset(piece, 1, 64 << 20);
  }
}
#elif TRICK == 6   // a heap and a stack as large as can be asked for
void attack(const World&) {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{1} << 44);
  cudaDeviceSetLimit(cudaLimitStackSize, size_t{1} << 20);
  big_frame<<<1024, 1024>>>();
  finish();
}
#elif TRICK == 7   // writes around an allocation, far and wide
void attack(const World&) {
  char* piece = nullptr;
  cudaMalloc(&piece, 256);
  write_everywhere<<<1, 1>>>(piece, 4096);
  finish();
  launch_a_kernel();
}
#elif TRICK == 8   // writes over the host's program
void attack(const World&) {
  write_everywhere<<<1, 1>>>(reinterpret_cast<char*>(&attack), 16);
  finish();
}
#elif TRICK == 9   // writes behind shared memory
void attack(const World&) {
  overflow_shared<<<4, 32>>>(1 << 20);
  finish();
}
#elif TRICK == 10  // writes behind the stack of a thread
void attack(const World&) {
  overflow_stack<<<4, 32>>>(1 << 20);
  finish();
}
#elif TRICK == 11  // a call of data
void attack(const World&) {
  void* memory = nullptr;
  cudaMalloc(&memory, 256);
  cudaMemset(memory, 0xcc, 256);
  call_nowhere<<<1, 1>>>(reinterpret_cast<void (*)()>(memory));
  finish();
}
#elif TRICK == 12  // a trap, and then the device used as if nothing had been
void attack(const World&) {
  trap<<<1, 1>>>();
  finish();
  for (int i = 0; i < 1000; ++i) launch_a_kernel();
}
#elif TRICK == 13  // the largest grid there is
void attack(const World&) {
  nothing<<<dim3(2147483647u, 65535, 65535), 1024>>>();
  finish();
}
#elif TRICK == 14  // the device reset again and again while it works
void attack(const World&) {
  for (int i = 0; i < 1000; ++i) {
    nothing<<<1024, 1024>>>();
    cudaDeviceReset();
  }
}
#elif TRICK == 15  // as many streams and events as there are
void attack(const World&) {
  for (;;) {
    cudaStream_t stream;
    cudaEvent_t event;
    if (cudaStreamCreate(&stream) != cudaSuccess || cudaEventCreate(&event) != cudaSuccess) return;
    nothing<<<1, 1, 0, stream>>>();
    cudaEventRecord(event, stream);
  }
}
#elif TRICK == 16  // launches from many threads while main ends
void attack(const World&) {
  for (int i = 0; i < 8; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, launch_for_ever, nullptr);
  }
  usleep(200000);
}
#elif TRICK == 17  // text of the device at wild addresses
void attack(const World&) {
  print_wild<<<1, 1>>>(reinterpret_cast<const char*>(uintptr_t{0x414141414141}));
  finish();
}
#elif TRICK == 18  // a format without its arguments
void attack(const World&) {
  print_wrong<<<1, 32>>>("x");
  finish();
}
#elif TRICK == 19  // copies with wrong sizes and directions
void attack(const World&) {
  char host[16] = {}, *device = nullptr;
  cudaMalloc(&device, 16);
  for (size_t size : {size_t{17}, size_t{1} << 20, size_t{1} << 40, SIZE_MAX}) {
    for (int kind = 0; kind < 6; ++kind) {
      cudaMemcpy(device, device, size, static_cast<cudaMemcpyKind>(kind));
      cudaMemcpy(device + size, host, 16, static_cast<cudaMemcpyKind>(kind));
    }
    cudaMemset(device, 0, size);
  }
  cudaFree(host);
  cudaFree(device + 1);
}
#elif TRICK == 20  // forks after the device has started
void attack(const World&) {
  for (int i = 0; i < 4; ++i) {
    if (fork() == 0) {
      launch_a_kernel();
      trap<<<1, 1>>>();
      finish();
      _exit(0);
    }
  }
  launch_a_kernel();
}
#endif
