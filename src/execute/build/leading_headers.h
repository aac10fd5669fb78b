// The standard headers that a source includes before anything else. They may be put before the source's first
// line, and so be compiled ahead of it (precompiled_headers.h), without changing what it means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

// Names without brackets, sorted, each once. Only headers of a fixed list, those that take the compiler
// longest and mean the same wherever they stand; the first token that is neither a comment nor part of an
// `#include <...>` of a plain header ends the search.
std::vector<std::string> leading_headers(std::string_view source);

}  // namespace cuset::execute
