// What the compiler pass counts of host code that shares a process with the tests that judge it (docs/proof-of-work.md): the
// data that an answer's host code touches and the operations it does, beside how much memory the tests asked for. Plain
// data, like execution_record.h.
//
// The counters are a mapping of CUSET_HOST_WORK_FILE in the program's working folder, at an address that is drawn at random
// when the program starts. The processor's segment register gs holds it, and nothing else does: no symbol, variable,
// table or instruction. Code that asks for the register or addresses memory through it is refused (pass/refusals.cc).
#pragma once

#include <stdint.h>

// The environment variable that makes clang's pass count: "answer" or "tests".
#define CUSET_HOST_WORK_VARIABLE "CUSET_HOST_WORK"
#define CUSET_HOST_WORK_FILE "cuset_host_work"

enum { CUSET_HOST_WORK_BYTES = 4096 };  // of the file

struct CusetHostWork {
  uint64_t answer_sources;  // of the answer's sources, those whose counting has begun
  uint64_t
      data_bytes;  // read and written by the answer's host code, but for what is in small local variables
  uint64_t operations;  // instructions of the answer's host code, each for every lane of a vector
  uint64_t test_bytes;  // of memory that the tests asked for, on the host and on the device
  uint64_t test_calls;  // of the tests to functions that no library has: the answer's
};
