// What `cuset gym` prints.
#pragma once

#include <string>

#include "base/json.h"
#include "gym/overlap.h"

namespace cuset {

// One line per family: group, name, styles, and whether it is held out.
std::string families_table();
// [{"name", "group", "held_out", "styles"}, ...]
Json families_json();

std::string overlap_table(const Overlap& overlap, double threshold);

}  // namespace cuset
