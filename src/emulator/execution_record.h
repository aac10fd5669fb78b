// What a CUDA program did, as seen from its runtime: kernels launched, findings of the checks, what was
// unsupported. The program's runtime (the emulator's, or the library injected beside the GPU's) writes it
// into a file of fixed size that is mapped into its memory, so a killed program leaves behind all that
// happened before its death. Three fields are for whoever reads the record to write.
//
// This header is plain data without includes beyond <stdint.h>: programs outside the project's own build
// compile it.
#pragma once

#include <stdint.h>

// The environment variable that names the file; the file exists, has the size below and is zero.
#define CUSET_RECORD_VARIABLE "CUSET_EXECUTION_RECORD"

enum { CUSET_RECORD_MAGIC = 0x52534343, CUSET_RECORD_VERSION = 3 };  // "CCSR"
enum { CUSET_RECORD_KERNELS = 512, CUSET_RECORD_FINDINGS = 64 };
enum { CUSET_RECORD_NAME = 240, CUSET_RECORD_TEXT = 480 };

// Launches of one kernel with one shape, counted together. `name` is the source name, demangled, cut to fit.
struct CusetKernelRecord {
  char name[CUSET_RECORD_NAME];
  uint32_t grid[3];
  uint32_t block[3];
  uint64_t shared_bytes;         // dynamic and static together
  uint64_t static_shared_bytes;  // of a GPU's kernel that ended, as the next two
  uint32_t registers;            // of a thread; 0: not known
  uint32_t local_bytes;          // of a thread: what did not fit its registers, and arrays
  uint64_t launches;
  uint64_t failed_launches;
  uint64_t total_nanoseconds;  // device time; of the emulator: wall time of the launches
  uint64_t shortest_nanoseconds;
};

// One finding of --check, or one line about why the program stopped. `kind` is a word: out_of_bounds,
// misaligned, use_after_free, uninitialised_read, shared_race, divergent_barrier, unsupported, note, ...
struct CusetFindingRecord {
  char kind[32];
  char kernel[CUSET_RECORD_NAME];
  char file[CUSET_RECORD_NAME];
  char text[CUSET_RECORD_TEXT];
  uint32_t line;  // 0: unknown
  uint32_t column;
  uint32_t block[3];
  uint32_t thread[3];
  uint64_t count;  // how often it happened at this line
};

// The first CUDA error a kernel or call raised (cudaError_t), 0 if none; `device_error` only from device
// code.
struct CusetExecutionRecord {
  uint32_t magic;
  uint32_t version;
  uint32_t kernel_count;   // entries used; further shapes are counted in kernels_left_out
  uint32_t finding_count;  // likewise
  uint64_t kernels_left_out;
  uint64_t findings_left_out;
  uint64_t launches;  // of all kernels
  int32_t first_error;
  int32_t device_error;
  uint32_t finished;     // 1: the runtime was shut down in order
  uint32_t kernels_off;  // set from outside: to 1, and the emulator's launches do nothing
  struct CusetKernelRecord kernels[CUSET_RECORD_KERNELS];
  struct CusetFindingRecord findings[CUSET_RECORD_FINDINGS];
  // Set from outside before the program starts: with what its inputs are hidden (base/input_cipher.h). The emulator takes it
  // away before any of the program's code runs.
  uint64_t input_key[3];
  uint32_t backward;  // set from outside: to 1, and threads run in the reverse of their natural order
};
