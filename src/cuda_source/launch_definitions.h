// The statements that feed launch configurations: `dim3 block(16, 16);`, `int blocks = (n + threads - 1) /
// threads;`, `config.gridDim = grid;`.
//
// Within the function around a launch (for code outside of any function: within all of it), every declaration
// and assignment is recorded with the variables that it defines and those that it mentions. A statement
// defines
//   - the names it declares, also in an `if` or `for` header and in a structured binding;
//   - the variable on the left of = += ... (through members and subscripts), and those with ++ or --;
//   - variables whose address it hands to a function (cudaOccupancyMaxPotentialBlockSize(&grid, &block,
//     ...)).
// It feeds a launch if it defines a variable of the configuration and stands before the launch or in a loop
// around both; with `transitive`, also if it feeds a statement that does. Names are resolved by block, so an
// equal name in a block that does not hold the launch is another variable. Parameters, globals and macros are
// not followed. Time is linear: each statement is taken once, however many launches it feeds.
#pragma once

#include <string>
#include <vector>

#include "cuda_source/code.h"
#include "cuda_source/launches.h"

namespace cuset::cuda_source {

struct LaunchDefinition {
  std::string name;      // the first variable it defines
  base::ByteSpan bytes;  // the statement with its `;`
};

// The statements that feed any of `launches`, in order of the text.
std::vector<LaunchDefinition> find_launch_definitions(const Code& code, const std::vector<Launch>& launches,
                                                      bool transitive);

}  // namespace cuset::cuda_source
