#include "study/plan/cells.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace cuset::study {

std::string StudyCell::folder_name() const { return fmt::format("{}-{}-{}", method, data, seed); }

std::string StudyCell::name() const { return fmt::format("{}/{}", base, folder_name()); }

std::vector<StudyCell> cells_of(const StudyPlan& plan) {
  std::vector<StudyCell> cells;
  const auto add = [&](StudyCell cell) {
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(std::move(cell));
  };
  for (const CellChoice& choice : plan.cells)
    for (const std::string& base : choice.bases)
      for (const std::string& data : choice.data)
        for (const std::string& method : choice.methods)
          for (const int64_t seed : choice.seeds) add({base, data, method, seed});
  return cells;
}

std::vector<std::string> bases_of(const StudyPlan& plan, const std::vector<StudyCell>& cells) {
  std::vector<std::string> bases;
  for (const PlannedBase& base : plan.bases) {
    const bool is_used = std::any_of(cells.begin(), cells.end(),
                                     [&](const StudyCell& cell) { return cell.base == base.name; });
    if (is_used) bases.push_back(base.name);
  }
  return bases;
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
  return name.find(pattern) != std::string::npos || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace cuset::study
