// The names that lint() knows, by what is wrong with them.
#pragma once

#include <string_view>

namespace cuset::judge {

// Why no answer calls `name`: "starts or stops other processes". Empty for any other name. `only_called`: the
// name is an everyday word too, so that only a call of it counts.
struct ForbiddenName {
  std::string_view reason;
  bool only_called = false;
};
ForbiddenName find_forbidden(std::string_view name);

// Forbidden names that NVIDIA's runtime, linked into a program, takes for itself.
bool is_imported_by_runtime(std::string_view name);

// An identifier of the judging machinery: the project's own, or that of the library that counts kernels.
bool names_machinery(std::string_view identifier);
// The part of a string's content that does so, or that leads to other processes; empty if there is none.
std::string_view machinery_in_text(std::string_view content);

// Functions of the CUDA runtime, of timers and of files that only somebody who wants to deceive the rest of
// the program defines himself.
bool is_runtime_function(std::string_view name);
// The same where C linkage makes the name the library's; overloads of that name may well be honest.
bool is_library_word(std::string_view name);

// Keywords, CUDA's qualifiers and built-in variables, `main`, and the functions above: a macro of that name
// changes what the code around says.
bool is_poison(std::string_view macro);
// Macros that neither nvcc nor clang defines for CUDA: code under `#ifdef` of them is for other tools.
bool is_absent_macro(std::string_view macro);

}  // namespace cuset::judge
