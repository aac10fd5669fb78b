// Memory of the device that tensors live on: how much is in use, and what the user reads where it does not
// suffice. Free of LibTorch headers.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "base/error.h"

namespace cuset::ops {

// The most bytes that LibTorch has had in use on GPU `gpu` since the last reset; 0 without a GPU.
uint64_t peak_gpu_memory(int gpu);
void reset_peak_gpu_memory(int gpu);

// Waits until the GPU has done all it was given; returns at once without one.
void wait_for_gpu();

// Physical memory of this machine.
uint64_t main_memory();

// Whether `error` says that the memory of a GPU or of the machine does not suffice: LibTorch has a type or a
// message of its own for each place where that happens.
bool is_lack_of_memory(const std::exception& error);

// What the user reads instead of it; `remedy` names the settings that lower the need.
base::Error lack_of_memory(std::string_view remedy);

}  // namespace cuset::ops
