// Which tasks --only takes.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace cuset {

// The ids that `only` names, or all that are known. Throws UsageError where one is unknown, with the nearest.
std::set<std::string> chosen_tasks(const std::vector<std::string>& only,
                                   const std::vector<std::string>& known);

}  // namespace cuset
