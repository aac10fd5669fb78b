// Kernel launches: `kernel<<<grid, block, shared bytes, stream>>>(arguments)` and the launch functions of the
// runtime and driver interfaces (cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx,
// cudaLaunchKernelExC, cuLaunchKernel, cuLaunchCooperativeKernel, cuLaunchKernelEx).
//
// The configuration of a launch function is its grid, block, shared-memory and stream arguments, or its
// configuration struct; the kernel and its arguments are not part of it.
#pragma once

#include <string>
#include <vector>

#include "cuda_source/code.h"

namespace cuset::cuda_source {

struct Launch {
  std::string kernel;      // unqualified, without template arguments; empty if no name is found
  bool bracketed = false;  // <<<...>>>, not a function
  uint32_t token = 0;      // `<<<`, or the function's name
  // Token ranges [first, last) of the configuration's expressions.
  std::vector<std::pair<uint32_t, uint32_t>> arguments;
  // The same as bytes; the bracketed form has one span, from `<<<` through `>>>`. Cut off, it reaches to the
  // end.
  std::vector<base::ByteSpan> configuration;
};

// All launches of one piece of code, in order.
std::vector<Launch> find_launches(const Code& code);

}  // namespace cuset::cuda_source
