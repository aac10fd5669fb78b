// Kernels cut out of a source file, each with what it needs from the same file: device functions that it calls, types,
// constants and macros that it names, and those that these need in turn, in the order of the file.
//
// A file is taken apart into items at namespace level: definitions, declarations, directives (#if ... #endif is one
// item, but for an include guard around the whole file). An item defines names; a kernel's slice holds the kernel, all
// items that define a name which occurs in the slice, and all #include lines, inside the namespaces and extern "C"
// blocks that they stood in. Host functions are left out: a kernel cannot call them. The comment directly above an item
// belongs to it.
//
// Names are compared as spelled, without scopes and overloads, so that a slice may hold more than it needs. What comes
// from the project's other files is not looked for; such a slice says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuset::cuda_source {

struct KernelSlice {
  std::string kernel;     // its name
  std::string signature;  // from its name through its parameters
  std::string comment;    // directly above it, as written; may be empty
  std::string text;
  size_t begin = 0;               // of the kernel in the file, in bytes
  bool has_local_header = false;  // includes a file of the project
};

// In the order of the file. Kernels of one name (overloads) are one slice. Kernels in conditional groups are left
// out, and those in macros. Any bytes are accepted.
std::vector<KernelSlice> cut_kernels(std::string_view source);

}  // namespace cuset::cuda_source
