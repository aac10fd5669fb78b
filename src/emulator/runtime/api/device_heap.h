// The heap of device code's malloc and free.
#pragma once

#include <cstddef>

namespace cuset_emulator {

size_t device_heap_limit();
void set_device_heap_limit(size_t bytes);

}  // namespace cuset_emulator
