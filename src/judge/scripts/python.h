// The Python that the scripts and modules of benchmarks run in, and how it is started inside the sandbox.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace cuset::judge {

struct Python {
  std::filesystem::path program;
  std::vector<std::filesystem::path> readable;  // what it is made of
  std::string version;                          // "Python 3.11.2, numpy 2.4.6, torch 2.13.0"
  bool has_torch = false;
};

enum class PythonLibrary { kNumpy, kTorch };

// $CUSET_PYTHON; else, of the Python that `make setup` fills and python3 on PATH, the first that has the
// library. For kNumpy one that has torch as well comes first: most scripts import it. Throws Error with the
// remedy where there is none.
Python find_python(PythonLibrary library);

// Runs the file `program` in `folder`, with no library of the user's own.
sandbox::SandboxedCommand python_command(const Python& python, const std::filesystem::path& folder,
                                         const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments);

}  // namespace cuset::judge
