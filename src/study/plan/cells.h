// The cells of a study: one adapter each, trained by a method on data from a base with a seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "study/plan/plan.h"

namespace cuset::study {

struct StudyCell {
  std::string base;
  std::string data;
  std::string method;
  int64_t seed = 0;

  std::string folder_name() const;  // "cuset-noisy-1"; cells of one base have different ones
  std::string name() const;         // "builtin/cuset-noisy-1"

  friend bool operator==(const StudyCell&, const StudyCell&) = default;
};

// All cells of the plan, each once, in the order of the plan.
std::vector<StudyCell> cells_of(const StudyPlan& plan);

// Bases that cells use, in the order of the plan.
std::vector<std::string> bases_of(const StudyPlan& plan, const std::vector<StudyCell>& cells);

// Whether `name` contains `pattern`, or fits it as a shell pattern ("builtin/cuset-*-1"). An empty pattern
// fits everything.
bool fits_pattern(const std::string& name, const std::string& pattern);

}  // namespace cuset::study
