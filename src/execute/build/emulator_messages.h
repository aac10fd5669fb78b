// What the emulator's two compilations of one source say: each thing once, and the constructs that the
// emulator does not have told from errors of the program. compiler_messages.h has what is common to all
// compilers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

// The X of every "unsupported: X" (to the end of the line or a closing quote), each once, in order.
std::vector<std::string> unsupported_constructs(std::string_view messages);
// The same in one line; what the first error says where none is named.
std::string what_is_unsupported(std::string_view messages);
// The diagnostics that name what is unsupported, or the first error where none does; errors that follow from it are
// counted instead.
std::string without_follow_up_errors(std::string_view messages);

// The type of our kernels, which the pointers that a program declares do not have.
bool names_kernel_type(std::string_view messages);

// A kernel that launches kernels, whichever compiler says so: ours, or nvcc without -rdc=true.
bool names_dynamic_parallelism(std::string_view messages);

// What the emulator's pass refused to compile (emulator/pass/refusals.cc): what no answer needs.
struct Refusal {
  bool is_hack = false;  // it works around the judge
  std::string text;
};
std::optional<Refusal> refusal_in(std::string_view messages);

// What two compilations of one source said, each diagnostic once; without the lines that count errors.
std::string merged_messages(std::string_view host, std::string_view device);

// The first error that is about what the emulator lacks, or else the first one, as the compiler wrote it with place and
// line. What follows from it is left out. Everything where there is no error.
std::string decisive_diagnostic(std::string_view messages);

// What the first error says, without its place; empty if there is none.
std::string first_error(std::string_view messages);

// The functions of CUDA's libraries (cudaX, cuX, cublasX, ...) that a linker did not find, each once.
std::vector<std::string> undefined_cuda_functions(std::string_view messages);

// The names of CUDA's libraries (cublasX, cufftX, ...) that a compiler did not find declared, each once. Our headers of these
// libraries declare what they serve.
std::vector<std::string> undeclared_library_names(std::string_view messages);

// The header of CUDA's toolkit (its libraries, CUB, Thrust, ...) that a compiler did not find; empty if there
// is none.
std::string missing_cuda_header(std::string_view messages);

// The file of a quoted #include that the compiler did not find; empty if there is none.
std::string missing_include(std::string_view messages);

}  // namespace cuset::execute
