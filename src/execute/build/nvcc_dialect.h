// What nvcc takes and clang does not, put into words that clang knows before it reads a source. Lines stay lines.
//
//   __shared__ alignas(16) float a[4];        __shared__ _Alignas(16) float a[4];
//   asm("mov.u64 %0, %globaltimer;" ...)      asm("mov.u64 %0, %%globaltimer;" ...)
//   child<<<grid, block>>>(x);                cuset_emulator::child_grid(..., grid, block).launch(x);   in device code
//
// Only sources are rewritten, not the headers that they include.
#pragma once

#include <set>
#include <string>

namespace cuset::execute {

// Part of the cache's key: changes with what is rewritten.
inline constexpr const char* kDialectVersion = "5";

// Without `launches_in_device_code` these stay as they are, and clang refuses them.
std::string in_words_of_clang(const std::string& given, bool launches_in_device_code = true);

// Adds the names of the kernels that `source` declares.
void add_kernel_names(const std::string& source, std::set<std::string>& kernels);

// Kernels that the host uses as values get the type that their pointers have for nvcc; here they are ms_abi functions.
//
//   void (*f)(int*) = &ns::k<4>;              void (*f)(int*) = CUSET_KERNEL_VALUE(ns::k<4>);
//
// For programs that clang does not take without: variables that are named like a kernel are rewritten, too.
std::string with_kernel_values(const std::string& source, const std::set<std::string>& kernels);

}  // namespace cuset::execute
