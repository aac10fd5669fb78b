// How device code ends its launch.
#pragma once

#include <string_view>

namespace cuset_emulator {

// Called by a worker while it runs a kernel's thread: the launch ends with this cudaError_t.
[[noreturn]] void fail_launch(int error, std::string_view explanation);

}  // namespace cuset_emulator
