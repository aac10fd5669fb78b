#include "text/split_pattern.h"

namespace cuset {

Regex read_pattern(const JsonPlace& pattern) {
  pattern.expect_only({"String", "Regex"});
  if (pattern.value().size() != 1) pattern.refuse("must have one member, String or Regex");
  if (const JsonPlace text = pattern.get("String"); !text.is_null()) {
    if (text.string().empty()) text.refuse("must not be empty");
    return Regex::literal(text.string(), text.place());
  }
  const JsonPlace expression = pattern.at("Regex");
  return Regex(expression.string(), expression.place());
}

}  // namespace cuset
