// A critic made of rules about the source text, for the cold start: where no answer compiles, it still tells answers
// that look like CUDA from those that do not. It is no judge: nothing is compiled or run, and what it rewards can be
// wrong.
//
//   kernel     the answer defines a kernel, and every kernel's body is closed
//   launch     it launches one
//   indexing   every kernel asks which thread it is
//   guard      every kernel compares something, as a guard against reading or writing out of bounds does
//   barrier    every kernel with shared memory synchronizes
//
// Without a kernel no rule holds.
#pragma once

#include <string_view>

namespace cuset::reinforce {

struct SourceRules {
  bool kernel = false;
  bool launch = false;
  bool indexing = false;
  bool guard = false;
  bool barrier = false;

  // The share of rules that hold, in [0, 1].
  double score() const;
};

// Any bytes are accepted.
SourceRules check_source_rules(std::string_view answer);

}  // namespace cuset::reinforce
