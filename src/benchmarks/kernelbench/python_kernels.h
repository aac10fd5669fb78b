// The kernels of a Python file, by name: CUDA in its strings, and functions that Triton compiles; and the same file
// with CUDA kernels that do nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cuset::benchmarks {

// The unqualified names of the kernels that `source` defines, each once.
std::vector<std::string> kernels_in_python(const std::string& source);

// The bodies of the CUDA kernels emptied; line ends and quotes stay, so that the file remains what it was around
// them. Nothing where there is no kernel.
std::optional<std::string> without_kernels_in_python(const std::string& source);

// The package that `source` imports and that makes kernels for a GPU alone: "triton"; empty where there is none.
std::string find_gpu_only_construct(const std::string& source);

}  // namespace cuset::benchmarks
