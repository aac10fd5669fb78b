// CUDA kernels in the strings of a Python file, by name, and the same file with kernels that do nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cuset::benchmarks {

// The unqualified names of the kernels defined in the strings of `source`, each once.
std::vector<std::string> kernels_in_python(const std::string& source);

// The bodies of those kernels emptied; line ends and quotes stay, so that the file remains what it was around
// them. Nothing where there is no kernel.
std::optional<std::string> without_kernels_in_python(const std::string& source);

}  // namespace cuset::benchmarks
