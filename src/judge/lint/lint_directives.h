// The rules of lint() about preprocessor lines: what is read while compiling, and which names are redefined.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/lexer.h"
#include "judge/lint/lint.h"

namespace cuset::judge {

// A finding by its place in the text instead of its line.
struct LintFault {
  LintFinding::Weight weight = LintFinding::Weight::kRejected;
  size_t offset = 0;
  std::string text;
};

// The first fault, if any. `tokens` are those of `text` without comments.
std::optional<LintFault> lint_directives(std::string_view text,
                                         const std::vector<cuda_source::Token>& tokens);

}  // namespace cuset::judge
