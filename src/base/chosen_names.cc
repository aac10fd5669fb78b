#include "base/chosen_names.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::base {

std::set<std::string> chosen_names(const std::vector<std::string>& only,
                                   const std::vector<std::string>& known) {
  if (only.empty()) return {known.begin(), known.end()};
  for (const std::string& id : only) {
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw UsageError("--only: unknown task {}{}", in_quotes(id), did_you_mean(id, known));
  }
  return {only.begin(), only.end()};
}

}  // namespace cuset::base
