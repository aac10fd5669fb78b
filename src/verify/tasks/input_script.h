// Runs the part of a numpy or PyTorch script that makes a task's input files, without Python.
//
// CUDABench's rows carry a gen.py that draws inputs, computes a reference and writes both. Only the
// statements that the wanted files depend on are carried out, on float64 arrays, by a small interpreter of
// the Python that such scripts are made of. Random numbers come from our stream, whatever seed the script
// sets; a variation changes how the elementary draws (rand, randn, uniform, normal) are spread, within their
// support. docs/input-scripts.md lists what is understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "verify/tasks/array.h"
#include "verify/tasks/inputs.h"

namespace cuset {

// The arrays that `script` writes to data/<name>.bin for each of `names`, in the type in which it writes
// them. Throws Error "input script, line 12: ..." for what it does not understand or a file that is not
// written, and where it takes more than a minute or 16 GiB.
std::vector<Array> run_input_script(const std::string& script, const std::vector<std::string>& names,
                                    Variation variation, const RandomStream& stream);

}  // namespace cuset
