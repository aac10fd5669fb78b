// What a CUDABench row's compare.py demands of the outputs, found by trying it.
//
// compare.py reads each output and its reference with numpy.fromfile and prints T or F. The interpreter of
// input scripts (tasks/input_script.h) runs it on arrays that hold one number everywhere: the reference r,
// the output r + d. The largest d that still gives T, at r = 0 and at r = 1024, gives the absolute and the
// relative tolerance, whatever form the comparison has: a loop over np.abs(a - b) < tol, np.allclose, a
// largest or a mean difference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/tasks/task.h"

namespace cuset {

struct ComparedFile {
  std::string name;  // without folder and extension
  NumberType type = NumberType::kFloat64;
  int64_t count = -1;  // -1: the whole file
  // Of floating outputs; not set where no difference, or every difference, is let through.
  std::optional<Tolerance> tolerance;
};

// The files that compare.py reads, in order of first reading, references among them; a reference has no
// tolerance. `counts` gives the sizes of files of which it reads all. Empty where the script is not
// understood.
std::vector<ComparedFile> files_compared(const std::string& script,
                                         const std::map<std::string, int64_t>& counts);

}  // namespace cuset
