// The sources of one program as a user names them on a command line, made ready for an executor: one source and its
// companions, each with the folder in which it looks for its own headers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "execute/executor.h"

namespace cuset::execute {

struct ProgramSources {
  std::filesystem::path main;      // what Executor::build() is given: the first .cu file, if there is one
  std::vector<std::string> texts;  // of all, the main one first
  std::vector<std::filesystem::path> paths;
};

// Reads the files and fills in `options`: companions, host sources and folders. With `all_cuda` (nvcc's -x cu) .cpp files
// are CUDA, too. Throws Error for what is not a C++ or CUDA source.
ProgramSources read_program_sources(const std::vector<std::string>& files, bool all_cuda,
                                    BuildOptions& options);

// Whether a folder holds NVIDIA's headers, as -I/usr/local/cuda/include in a Makefile does: nvcc has its own, and what runs on a
// CPU uses none of them.
bool holds_cuda_headers(const std::filesystem::path& folder);

}  // namespace cuset::execute
