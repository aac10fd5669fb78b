// Whose kernels a build holds (docs/proof-of-work.md): those that the source's own files define, and those that came with
// headers of a library. What counts is the file that holds the definition, as the compiler saw it: names can be
// changed by macros, and both sides can declare what the other defines.
//
// clang's side of it is emulator/kernel_files.h. nvcc says it in PTX with line numbers (`nvcc -ptx -lineinfo`):
//   .visible .entry _Z4tileIfEvPT_(
//   ...
//   	.loc	2 14 0
//   	.loc	1 30 5, function_name $L__info_string0, inlined_at 2 15 3
//   	.file	2 "/usr/include/library.h"
// A `.loc` that is not inlined is a line of the kernel itself: file 2 holds its definition.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

struct KernelOrigin {
  std::string name;  // mangled
  std::string file;  // as the compiler names it; empty: not known
};

// Of a file of emulator/kernel_files.h; lines that are none are left out.
std::vector<KernelOrigin> parse_kernel_files(std::string_view text);

// Inline assembly is text of the source's own in PTX. It stands behind the line that counts, and two names for one file
// are none.
std::vector<KernelOrigin> parse_ptx_origins(std::string_view ptx);

// A guess from the text of a source: it includes a header from a folder of headers ("cub/cub.cuh").
bool may_include_library(std::string_view source);

// Whether a source that the compiler saw as `preprocessed`, with line markers, may define a kernel in a file outside of
// `folder`, where it was compiled: no name of the attribute stands there.
bool may_hold_library_kernels(std::string_view preprocessed, const std::filesystem::path& folder);

// The kernels whose files lie in `folder`, where the source was compiled: sorted, by the names that runs record of
// them. A name that a kernel from elsewhere has, too, is left out.
std::vector<std::string> own_kernel_names(const std::vector<KernelOrigin>& origins,
                                          const std::filesystem::path& folder);

// Whether one of them is from elsewhere.
bool has_library_kernels(const std::vector<KernelOrigin>& origins, const std::filesystem::path& folder);

}  // namespace cuset::execute
