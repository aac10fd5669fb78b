// Which names a list like --only takes.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace cuset::base {

// The names that `only` names, or all that are known. Throws UsageError where one is unknown, with the
// nearest.
std::set<std::string> chosen_names(const std::vector<std::string>& only,
                                   const std::vector<std::string>& known);

}  // namespace cuset::base
