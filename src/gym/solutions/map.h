// Kernels for tasks in which every element of the outputs comes from the elements of the inputs at the same
// place: one thread each, a grid that strides, several elements a thread, vector loads, a device function.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

// What is done at one place, as text of a kernel in which `@x` is the element of the input $x. The draft has
// its arrays, scalars and the size "n" already.
struct MapWork {
  tasks::NumberType type = tasks::NumberType::kFloat32;  // that is computed with
  std::string lines = {};                                // statements first: "float $t = tanhf(@x);\n"
  std::vector<std::string> values = {};  // then the value of each output; none where the lines write them
  std::vector<std::string> sizes = {};   // that the texts use, beyond "n"
  bool indexed = false;                  // the texts name $i and whole arrays: no function of elements
};

// Four to six solutions.
std::vector<GymSolution> map_solutions(const GymDraft& draft, const MapWork& work,
                                       base::RandomStream& stream);

// How many elements a task of this kind has: 1,000 to 40,000, half of the time a multiple of four.
int64_t draw_count(base::RandomStream& stream);

// `value` as an element of `type` is stored: "__float2half(value)" for half precision.
std::string stored(tasks::NumberType type, const std::string& value);

}  // namespace cuset::gym
