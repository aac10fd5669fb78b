// Kernels made by hand, registered as the compiler pass and clang's host code would do it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {

struct Pair3 {
  float values[3];  // 12 bytes: passed as the address of its bytes
};

// Handles of the host's stubs.
extern const char kScaleStub, kPrintStub, kAssertStub, kTrapStub, kHeapStub, kStructStub, kMissingStub,
    kWriteStub, kQuietStub;
extern char table_shadow[16];

// scale(float* data, float factor, int count): a thread per element.
// quiet(int): does nothing.
// print(int number): "block b thread t: number".
// struct_sum(Pair3 pair, float* sum), heap(int* outcome), write(int* memory, int value), assert and trap
// without arguments.
void register_test_kernels();

}  // namespace cuset_emulator
