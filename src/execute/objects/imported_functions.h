// The names that a linked program takes from shared libraries, read from its table of dynamic symbols. No macro or pasted
// name hides a call from it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cuset::execute {

// Without versions, in the table's order: "fopen", "_ZdlPv". Empty for what is not a 64-bit ELF file with such a table;
// what an entry points outside the file is left out. Throws Error where the file cannot be read.
std::vector<std::string> imported_functions(const std::filesystem::path& program);

}  // namespace cuset::execute
