// Whether the host code of an answer did so little while its benchmark's tests ran that its kernels must have done the work
// (docs/proof-of-work.md). The counted run is the judged one: there is no other that an answer could recognize.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "execute/record/host_work.h"

namespace cuset::benchmarks {

// How much is little. What the tests do decides, and launches of kernels up to a limit, so that kernels that do nothing
// useful do not buy more.
uint64_t allowed_data_bytes(const execute::HostWork& work, uint64_t launches);
uint64_t allowed_operations(const execute::HostWork& work, uint64_t launches);

// Empty, or what was too much. All `sources` of the answer must have counted.
std::string too_much_host_work(const std::optional<execute::HostWork>& work, uint64_t launches,
                               size_t sources);

}  // namespace cuset::benchmarks
