// What the compiler pass leaves for whoever compiles: the kernels of a source's device code, each with the file that
// holds its definition. Headers of libraries bring kernels along, and no name tells them from the source's own.
//
// The environment variable names the file to write. It has a line for each kernel: its mangled name, a tab, the path of
// the file, as the compiler found it and from the root. The path is empty where the compiler does not know; control
// characters in either are '?'.
#pragma once

#define CUSET_KERNEL_FILES_VARIABLE "CUSET_KERNEL_FILES"
