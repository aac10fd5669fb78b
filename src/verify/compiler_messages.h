// What compilers say, made fit for the person who asked: the source under the name that they gave it, and the
// constructs that the emulator does not have.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cuset {

// The name under which a source is copied to where it is compiled: its own, where that is plain letters, digits and
// "._+-"; else program.cu. Compilers and the program itself (__FILE__, assert) show it.
std::string name_of_copy(const std::filesystem::path& source);

// `text` with every mention of `copy` (and of its last part at the start of a line) as `named` instead. Findings' files go
// through it, too.
std::string with_source_named(std::string_view text, const std::filesystem::path& copy,
                              const std::filesystem::path& named);

// The X of every "unsupported: X" (to the end of the line or a closing quote), each once, in order.
std::vector<std::string> unsupported_constructs(std::string_view messages);

// What two compilations of one source said, each diagnostic once; without the lines that count errors.
std::string merged_messages(std::string_view host, std::string_view device);

// The functions of CUDA's libraries (cudaX, cuX, cublasX, ...) that a linker did not find, each once.
std::vector<std::string> undefined_cuda_functions(std::string_view messages);

// The file of a quoted #include that the compiler did not find; empty if there is none.
std::string missing_include(std::string_view messages);

}  // namespace cuset
