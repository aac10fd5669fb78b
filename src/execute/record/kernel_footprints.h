// How much memory the launches of a program could reach (emulator/runtime/device_process/footprint.h), as the process of its
// kernels wrote it down: a line for each kernel and shape,
//   1500 2 4,1,1 256,1,1 saxpy
// the bytes of all launches together, their number, grid and block, and the name that a record has.
#pragma once

#include <string_view>
#include <vector>

#include "execute/executor.h"

namespace cuset::execute {

// Sets KernelLaunches::footprint_bytes of the kernels that `text` names; lines that are none of these are left out.
void add_footprints(std::string_view text, std::vector<KernelLaunches>& kernels);

}  // namespace cuset::execute
