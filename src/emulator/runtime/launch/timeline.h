// Writes the device's timeline (execute/record/kernel_timeline.h has the lines), where the program is told to: every
// kernel, copy and fill when it is done, so that a process outside can read what came between two points of time.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/launch/launch.h"

namespace cuset_emulator {

bool has_timeline();
// Nanoseconds of processor time that the program has used: what work took must not depend on how busy the machine is.
uint64_t timeline_now();
// The same, but without a timeline, which most programs have not, the clock is not read.
inline uint64_t timeline_start() { return has_timeline() ? timeline_now() : 0; }

// Each ended just now.
void note_kernel(const std::string& name, const LaunchShape& shape, uint64_t static_shared_bytes,
                 uint64_t nanoseconds);
void note_copy(uint64_t start, const char* kind, uint64_t bytes);
void note_fill(uint64_t start, uint64_t bytes);
void note_word(const char* word);  // what a reader is to know beside them

}  // namespace cuset_emulator
