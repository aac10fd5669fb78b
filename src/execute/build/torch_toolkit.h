// What PyTorch builds extensions with on a machine without a GPU, in the place of the CUDA toolkit, and the library that is
// the device "cuda" there (emulator/torch).
//
//   bin/nvcc, bin/c++   clang with the emulator's parts (nvcc.py)
//   include/            headers that stand in for those of a PyTorch with CUDA
//   lib64/              libcudart.so, the emulator's runtime; libtorch_cuda.so, the device
//
// PyTorch's headers are precompiled, and the device is compiled, for the PyTorch that is there: once, in the sandbox, kept in
// the cache of objects.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "execute/executor.h"

namespace cuset::execute {

struct TorchPython {
  std::filesystem::path program;
  std::vector<std::filesystem::path> readable;  // what it is made of
};

struct TorchToolkit {
  std::shared_ptr<const base::TemporaryFolder> home;
  std::vector<std::filesystem::path> readable;     // what a process that uses it has to see
  std::map<std::string, std::string> environment;  // of that process
};

// Takes a minute where the cache does not have it. Throws Error with the remedy where clang, the emulator's files or
// PyTorch's headers are missing.
TorchToolkit make_torch_toolkit(const TorchPython& python, const ExecutorSettings& settings);

}  // namespace cuset::execute
