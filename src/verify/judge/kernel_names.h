// The names of kernels as the compiler writes them, beside those that stand in a source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/execute/executor.h"

namespace cuset {

// "reduce" of "void (anonymous namespace)::reduce<float, 256>(float const*, int)".
std::string unqualified_name(std::string_view kernel);

// One each, in the order of their first launch.
std::vector<std::string> names_of(const std::vector<KernelLaunches>& kernels);

// How often kernels of `own` were launched without failing.
uint64_t own_launches(const Run& run, const std::vector<std::string>& own);

}  // namespace cuset
