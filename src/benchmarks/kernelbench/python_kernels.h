// The kernels of a Python file, by name: CUDA in its strings, and functions that Triton compiles; the same file with
// CUDA kernels that do nothing; and the functions of PyTorch that it names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::benchmarks {

// The unqualified names of the kernels that `source` defines, each once.
std::vector<std::string> kernels_in_python(const std::string& source);

// The bodies of the CUDA kernels emptied; line ends and quotes stay, so that the file remains what it was around
// them. Nothing where there is no kernel.
std::optional<std::string> without_kernels_in_python(const std::string& source);

// A header that includes what PyTorch declares of each function `torch::name` or `at::name` in the text. Names of other
// things are passed over when it is compiled.
std::string operation_headers(std::string_view code);

}  // namespace cuset::benchmarks
