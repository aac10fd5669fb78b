// Sources that no compiler can accept, told without asking one.
#pragma once

#include <string_view>

namespace cuset::execute {

// Whether brackets of the source are left open or closed too often, or a comment or raw string has no end.
// False also where that cannot be told: conditional code, macros with unmatched brackets, `#include "..."`.
bool has_unmatched_brackets(std::string_view source);

}  // namespace cuset::execute
