// Domains in the JSONL form of tasks: {"kind": "uniform", "low": -1, "high": 1}, or only "normal" where the
// numbers are the usual ones.
#pragma once

#include <string_view>

#include "base/json.h"
#include "verify/tasks/json_field.h"
#include "verify/tasks/task.h"

namespace cuset {

std::string_view name_of(Domain::Kind kind);  // "normal"

// Throws Error for unknown kinds, and for keys that mean nothing for the kind.
Domain domain_from_json(const JsonField& field);
Json json_of(const Domain& domain);

}  // namespace cuset
