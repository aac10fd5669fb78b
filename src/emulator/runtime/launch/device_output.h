// What kernels print. As on a GPU it waits in a buffer of limited size, oldest lines lost first, until the
// host synchronizes; what still waits when the program ends is never seen.
#pragma once

#include <cstddef>

namespace cuset_emulator {

// Text appears in the order of blocks, whichever worker ran them: called after each launch.
void end_of_launch_output();
void flush_device_output();
void note_lost_device_output();

size_t device_output_limit();
void set_device_output_limit(size_t bytes);

}  // namespace cuset_emulator
