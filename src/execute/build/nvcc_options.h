// nvcc's own spelling of a compile command: what a Makefile hands to nvcc works here as it is, typed after `cuset run` or
// read from the Makefile itself.
//
//   nvcc -std=c++17 -arch=sm_80 -O3 -lcublas -Xcompiler -Wall -o app main.cu kernels.cu
//   cuset run -std=c++17 -arch=sm_80 -O3 -lcublas -Xcompiler -Wall -o app main.cu kernels.cu
//
// Options that our settings know become these settings; those that change the language or the arithmetic are handed on to
// nvcc; those about files, warnings and debugging mean nothing here and are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

// The words behind `cuset run`, without what follows "--", with nvcc's options in our spelling. Words that are none of
// nvcc's stay as they are. Throws UsageError for an option that asks for something else than a whole program ("-c").
std::vector<std::string> translate_nvcc_options(const std::vector<std::string>& words);

// One command of a build, of nvcc or of the host's compiler.
struct CompileLine {
  enum class Makes { kProgram, kObject, kLibrary, kNothing };  // kNothing: what no program is linked from
  Makes makes = Makes::kProgram;
  std::vector<std::string> inputs;  // sources, objects, archives, in their order
  std::string output;               // "": the compiler's own name for it
  std::vector<std::string> defines;
  std::vector<std::string> include_folders;
  std::vector<std::string> libraries;
  std::vector<std::string> library_folders;
  std::string standard;  // "c++17"; empty: not given
  bool relocatable = false;
  bool all_cuda = false;                // -x cu
  std::vector<std::string> nvcc_flags;  // "--extended-lambda"
};

// The words behind the compiler's name. Options that mean nothing here are left out, unknown ones, too.
CompileLine read_compile_line(const std::vector<std::string>& words);

// "gnu++17", "c++1z" as "c++17"; a standard that we do not take as the nearest one that we do; empty for those of C.
std::string our_standard(std::string_view name);

}  // namespace cuset::execute
