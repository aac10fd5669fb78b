// What --check must find in a program of testdata/cuda/bugs, as marked by comments in the program itself, and
// the comparison with what it did find. The language of the marks is told in testdata/cuda/bugs/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "execute/executor.h"

namespace cuset::tests {

struct FindingMark {
  enum class Duty { kFinds, kOr, kMay };
  Duty duty = Duty::kFinds;
  uint32_t line = 0;
  std::string kind;  // out_of_bounds, shared_race, ...
  std::string text;  // what the finding's text must contain; empty: anything
};

// The marks of a program in the order of their lines. Throws Error with the line where a mark is malformed.
std::vector<FindingMark> read_finding_marks(std::string_view source, const std::filesystem::path& file);

// One line per difference, "" if there is none: a mark `finds` is met by a finding of its kind on its line or
// on a line marked `or` with that kind, and every finding in `file` stands on a line marked with its kind.
// Findings elsewhere are differences, notes are not.
std::string finding_differences(const std::vector<FindingMark>& marks,
                                const std::vector<execute::RunFinding>& findings,
                                const std::filesystem::path& file);

}  // namespace cuset::tests
