// What nvcc takes and clang does not, put into words that clang knows before it reads a source. Lines stay lines.
//
//   __shared__ alignas(16) float a[4];        __shared__ _Alignas(16) float a[4];
//   asm("mov.u64 %0, %globaltimer;" ...)      asm("mov.u64 %0, %%globaltimer;" ...)
//   child<<<grid, block>>>(x);                cuset_emulator::child_grid(..., grid, block).launch(x);   in device code
//
// Only sources are rewritten, not the headers that they include.
#pragma once

#include <string>

namespace cuset::execute {

// Part of the cache's key: changes with what is rewritten.
inline constexpr const char* kDialectVersion = "3";

// Without `launches_in_device_code` these stay as they are, and clang refuses them.
std::string in_words_of_clang(const std::string& given, bool launches_in_device_code = true);

}  // namespace cuset::execute
