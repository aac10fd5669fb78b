// Wrong versions of a right program, made by small changes of its source: what a good judgement must catch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::judge {

// "dropped_barrier", "off_by_one_bound", "wrong_stride", "swapped_index", "missing_guard",
// "wrong_reduction_scope", "half_precision", "uninitialised_accumulator", "wrong_launch_size",
// "missing_copy_back", and more; docs/verify.md describes each.
std::vector<std::string_view> mutation_kinds();

struct Mutant {
  std::string_view kind;
  uint32_t line = 0;        // of the change in the original
  std::string description;  // one line: "`i < n` became `i <= n`"
  std::string source;
  // The outputs change whatever the sizes, the order of threads and what memory held before. Where it is
  // false they may stay right: half the blocks of a kernel that strides over the grid do all its work.
  bool certain = true;
};

// At most `most_per_kind` mutants of each kind, the same for the same source; all differ from it and from
// each other. Kinds that do not apply give none.
std::vector<Mutant> mutants_of(const std::string& source, size_t most_per_kind = 1);

}  // namespace cuset::judge
