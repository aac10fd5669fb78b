// The kernels that an answer defines, by its text.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cuset::benchmarks {

// The same program with kernels that do nothing: if its outputs are still right, the kernels did not make them. Every
// `__global__` function's body returns at once; nothing else changes (not even line numbers). Nothing
// where the source has no kernel whose body is found.
std::optional<std::string> without_kernels(const std::string& source);

// The unqualified names of the kernels that the source itself defines, template kernels among them.
std::vector<std::string> own_kernels(const std::string& source);

}  // namespace cuset::benchmarks
