// The table of `cuset verify --audit`: which tasks mean something, and what slipped through.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::cli {

// Counts of marks and outcomes, and for every task that is not "good" what passed that should not. `audits` are
// records of json_of(TaskAudit).
std::string render_audits(const std::vector<base::Json>& audits);

// The same counts: {"tasks", "marks": {"good": 12}, "mutants", "caught", "survived", ...}.
base::Json summary_of_audits(const std::vector<base::Json>& audits);

}  // namespace cuset::cli
