// nvcc's own spelling of a compile command in `cuset run`: what a Makefile hands to nvcc works here as it is.
//
//   nvcc -std=c++17 -arch=sm_80 -O3 -lcublas -Xcompiler -Wall -o app main.cu kernels.cu
//   cuset run -std=c++17 -arch=sm_80 -O3 -lcublas -Xcompiler -Wall -o app main.cu kernels.cu
//
// Options that our settings know become these settings; those that change the language or the arithmetic are handed on to
// nvcc; those about files, warnings and debugging mean nothing here and are left out.
#pragma once

#include <string>
#include <vector>

namespace cuset::cli {

// The words behind `cuset run`, without what follows "--", with nvcc's options in our spelling. Words that are none of
// nvcc's stay as they are. Throws UsageError for an option that asks for something else than a whole program ("-c").
std::vector<std::string> translate_nvcc_options(const std::vector<std::string>& words);

}  // namespace cuset::cli
