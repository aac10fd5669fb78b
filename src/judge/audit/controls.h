// Answers that do no work, made for a task: what a verdict must see through before it means anything. Each
// launches a kernel, and what is written comes out of it, so that only the outputs can give the
// answer away.
//
//   zeros      every output is zero
//   constant   every number of every output is 0.5, or 1 for whole numbers
//   identity   every output is a copy of an input of its type, cut or repeated to its size
//   stale      outputs are device memory as it is found; the kernel works elsewhere
//   nothing    the outputs are not touched
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace cuset::judge {

struct Control {
  std::string_view name;
  std::string source;  // a whole program, or the declared function
};

// For tasks of kind `program` and `function`; none for the others. A task without inputs has no `identity`,
// a declared kernel no `stale`.
std::vector<Control> controls_of(const tasks::Task& task);

}  // namespace cuset::judge
