// Shapes and domains in the JSONL form of tasks. A domain is {"kind": "uniform", "low": -1, "high": 1}, or
// only "normal" where the numbers are the usual ones.
#pragma once

#include <string_view>

#include "base/json/json_cursor.h"
#include "tasks/task.h"

namespace cuset::tasks {

// Where every field of a task is described: the remedy for a fault in one.
inline constexpr std::string_view kTasksPage = "see docs/tasks.md";

// A list of at most 32 whole numbers from 0 on, with a product that count_of allows.
Shape shape_from_json(const base::JsonCursor& field);

std::string_view name_of(Domain::Kind kind);  // "normal"

// Throws Error for unknown kinds, and for keys that mean nothing for the kind.
Domain domain_from_json(const base::JsonCursor& field);
base::Json json_of(const Domain& domain);

}  // namespace cuset::tasks
