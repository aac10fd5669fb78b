// The contract between three parts of the emulator: the CUDA headers (device code), the compiler pass and the
// runtime.
//
// A CUDA thread runs as an ordinary function on a worker (one per core). Whatever makes a thread wait for
// others (barriers, warp operations, grid barriers, spinning) writes a request into the worker's context and
// calls cuset_suspend(), which the pass turns into a coroutine's suspension; the runtime decides who runs
// next, and puts the answer into the context before it resumes the thread.
//
// Plain C without libraries, so that device code, the pass's output and the runtime all see the same bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__CUDA__)  // in both passes: the host pass parses device code, too
#define CUSET_DEVICE __attribute__((device))
#else
#define CUSET_DEVICE
#endif

#define CUSET_WARP_SIZE 32u

// Why a thread waits. The operations of a warp complete when every living lane named in `mask` has arrived
// with it.
enum CusetOperation {
  CUSET_FINISHED = 0,   // the kernel's function returned
  CUSET_BARRIER = 1,    // __syncthreads()
  CUSET_BARRIER_COUNT,  // value: predicate; result: how many were true
  CUSET_BARRIER_AND,
  CUSET_BARRIER_OR,
  CUSET_WARP_SYNC,
  CUSET_SHUFFLE,     // value: bits; argument: the lane to read from (0..31); result: its bits
  CUSET_BALLOT,      // value: predicate; result: mask of lanes with a true one
  CUSET_MATCH_ANY,   // value: bits; result: mask of lanes with the same bits
  CUSET_MATCH_ALL,   // result: the mask if all bits are equal, else 0
  CUSET_REDUCE_ADD,  // of 32-bit unsigned values; signed add has the same bits
  CUSET_REDUCE_MIN,
  CUSET_REDUCE_MAX,
  CUSET_REDUCE_MIN_SIGNED,
  CUSET_REDUCE_MAX_SIGNED,
  CUSET_REDUCE_AND,
  CUSET_REDUCE_OR,
  CUSET_REDUCE_XOR,
  CUSET_ACTIVE_MASK,  // result: mask of lanes that wait here when nobody else of the warp can run
  CUSET_GRID_BARRIER,
  CUSET_YIELD,             // spins on memory another thread will write: others run first
  CUSET_NUMBERED_BARRIER,  // argument: its number, 0 to 15; value: threads that take part, 0 for the whole
                           // block
  CUSET_PREEMPTED,         // checked programs: others run first, though nothing has to be waited for
  CUSET_MATRIX,  // argument: CUSET_MATRIX_PRODUCT; value: address of the lane's CusetMatrixRegisters
  CUSET_CLUSTER_BARRIER
};

// D = A * B + C by all lanes of a warp: A has 8 or 16 rows and `depth` columns, B and C have 8 columns. The elements lie
// in the lanes' registers as the PTX manual shows them for mma.sync.
enum CusetMatrixElement {
  CUSET_F16 = 0,
  CUSET_BF16,
  CUSET_TF32,
  CUSET_F32,
  CUSET_F64,
  CUSET_E4M3,
  CUSET_E5M2,
  CUSET_S8,
  CUSET_U8,
  CUSET_S4,
  CUSET_U4,
  CUSET_B1_XOR,
  CUSET_B1_AND,
  CUSET_S32
};
#define CUSET_MATRIX_PRODUCT(rows, depth, a, b, c, d, saturates)                   \
  ((uint32_t)(a) | (uint32_t)(b) << 4 | (uint32_t)(c) << 8 | (uint32_t)(d) << 12 | \
   (uint32_t)(rows) / 16 << 16 | (uint32_t)(depth) << 17 | (uint32_t)(saturates) << 28)
struct CusetMatrixRegisters {
  const void* a;
  const void* b;
  const void* c;
  void* d;
};

// What a waiting thread asked for.
struct CusetRequest {
  uint32_t operation;
  uint32_t mask;
  uint32_t argument;
  uint32_t unused;
  uint64_t value;
  const void* site;
};

struct CusetThreadIndex {
  uint16_t x, y, z;
};

// The suspended threads of a block, by their number.
struct CusetThreads {
  char* frames;
  uint64_t frame_stride;
  const struct CusetThreadIndex* indices;
  const uint64_t* results;        // handed to each thread as it goes on
  struct CusetRequest* requests;  // filled with what it asks for next
};

// A place in the source, for findings; made by the pass.
struct CusetSite {
  const char* file;
  const char* function;
  uint32_t line;
  uint32_t column;
};

// One per worker, thread-local. The layout is known to the pass: add fields at the end only.
struct CusetContext {
  uint32_t thread_index[3];
  uint32_t block_index[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  uint32_t linear_thread;  // x fastest; lane = linear_thread % 32, warp = linear_thread / 32
  uint32_t lane;
  char* shared;  // the block's shared memory: static variables first, then the dynamic part
  uint32_t dynamic_shared_offset;
  uint32_t dynamic_shared_size;
  uint32_t ordered;    // not 0: every block before this one is done, so atomics happen in a fixed order
  uint32_t operation;  // the request: a CusetOperation
  uint32_t mask;
  uint32_t argument;
  uint64_t value;
  uint64_t result;   // the answer
  const void* site;  // of the request: a CusetSite in checked programs, else only different for each place
  // The cluster that the block lies in; a cluster of its own where the launch asks for none.
  uint32_t cluster_dim[3];
  uint32_t cluster_rank;        // of the block, x fastest
  char* const* cluster_shared;  // shared memory of each block, by its rank
};

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDA__) || defined(CUSET_RUNTIME)
extern CUSET_DEVICE __thread struct CusetContext cuset_context __attribute__((tls_model("initial-exec")));
#endif

CUSET_DEVICE void cuset_suspend(void);  // never called: the pass replaces it

// Served by the runtime.
CUSET_DEVICE void cuset_wait_for_order(
    void);  // returns when every block before this one is done; sets `ordered`
CUSET_DEVICE uint32_t
cuset_preempts(void);  // checked programs: 1 where the running thread is to let others run now
// For code that runs a whole block: an operation in which threads wait for each other, of all threads at once. One element of
// each array is a thread's.
CUSET_DEVICE void cuset_complete_operation(uint32_t operation, uint32_t threads, const uint32_t* masks,
                                           const uint32_t* arguments, const uint64_t* values,
                                           uint64_t* results);
CUSET_DEVICE void cuset_unsupported(const char* construct)
    __attribute__((noreturn));  // ends the program as `unsupported`
CUSET_DEVICE void cuset_trap(void)
    __attribute__((noreturn));                     // __trap(): the launch fails with cudaErrorLaunchFailure
#if !defined(__CUDA__)                             // CUDA has no variadic functions but printf
int cuset_device_printf(const char* format, ...);  // the pass sends device code's printf here
#endif
CUSET_DEVICE int cuset_device_vprintf(const char* format, __builtin_va_list arguments);
CUSET_DEVICE void cuset_device_assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) __attribute__((noreturn));
CUSET_DEVICE void* cuset_device_malloc(size_t bytes);
CUSET_DEVICE void cuset_device_free(void* memory);
CUSET_DEVICE uint64_t cuset_device_clock(void);  // clock64(): counts up, in nanoseconds
CUSET_DEVICE uint64_t cuset_device_global_timer(void);

// A kernel as the pass leaves it. Arguments arrive as slots of 8 bytes: values of 1, 2, 4 or 8 bytes in the
// slot, others as a pointer to their bytes.
enum CusetKernelFlags {
  CUSET_KERNEL_SUSPENDS = 1,    // start_thread and resume_threads; else run_thread
  CUSET_KERNEL_ONE_WORKER = 2,  // spins or grid barriers: all blocks live on one worker
  CUSET_KERNEL_CHECKED = 4,
  CUSET_KERNEL_GRID_BARRIER = 8,  // needs a cooperative launch
  CUSET_KERNEL_ORDERED = 16,      // some of its operations wait for earlier blocks
  CUSET_KERNEL_PREEMPTED = 32     // its blocks take turns at atomic operations
};

struct CusetKernel {
  const char* name;  // mangled
  uint32_t flags;
  uint32_t parameter_count;
  const uint8_t* parameter_is_pointer;  // 1: of pointer type in the source, or a struct passed by address
  const uint8_t* parameter_is_written;  // 1: a struct passed by address that the kernel changes: each thread
                                        // needs a copy
  uint32_t static_shared_bytes;         // of the variables that the kernel uses
  uint32_t dynamic_shared_start;        // behind them
  uint32_t most_threads;                // __launch_bounds__; 0: none given
  uint32_t unused;
  // Runs a thread to its first suspension, in a frame of the size that it answers when called without one.
  void* (*start_thread)(const uint64_t* slots, void* frame);
  // Resumes threads first, first + 1, ... before last, until one asks for another operation than the first
  // did. Returns the number behind the last thread resumed.
  uint32_t (*resume_threads)(const struct CusetThreads* threads, uint32_t first, uint32_t last);
  void (*run_thread)(const uint64_t* slots);  // one thread to its end; null if it suspends
  void (*run_block)(
      const uint64_t* slots);  // all threads of the block in vectorized loops; null if not possible
  struct CusetSite site;       // where the kernel is defined; file null if unknown
  const void* function;        // what device code has as its address; null where it has none
  uint32_t cluster_dim[3];     // __cluster_dims__; zeros: none given
  uint32_t unused_too;
};

struct CusetVariable {
  const char* name;  // mangled
  void* address;
  uint64_t bytes;
  uint64_t is_managed;  // 1: host and device share it
};

struct CusetModule {
  const struct CusetKernel* kernels;
  uint32_t kernel_count;
  uint32_t variable_count;
  const struct CusetVariable* variables;
  uint64_t architecture;  // the compute capability that device code was told, __CUDA_ARCH__
};

// Called by constructors that the pass adds: device code's tables, and the argument sizes of host stubs.
void cuset_register_module(const struct CusetModule* module);
void cuset_register_arguments(const void* host_stub, uint32_t count, const uint32_t* sizes);

#ifdef __cplusplus
}
#endif

// What device headers call.
#if defined(__cplusplus) && defined(__CUDA__)
#ifdef CUSET_DEVICE_PASS
// Markers for the pass: this is a device module; this program is compiled for --check.
extern "C" __attribute__((device)) const int cuset_device_module;
__attribute__((device, used, weak)) const int cuset_device_module = __CUDA_ARCH__;
#ifdef CUSET_CHECKED
extern "C" __attribute__((device)) const char cuset_checked_program;
__attribute__((device, used, weak)) const char cuset_checked_program = 1;
#endif
#endif
__attribute__((device, always_inline)) static inline uint64_t cuset_request(uint32_t operation, uint32_t mask,
                                                                            uint64_t value,
                                                                            uint32_t argument) {
  cuset_context.operation = operation;
  cuset_context.mask = mask;
  cuset_context.argument = argument;
  cuset_context.value = value;
  cuset_suspend();
  return cuset_context.result;
}
#endif
