#include "text/tokenizer/split_pattern.h"

#include "base/error.h"

namespace cuset::text {

namespace {

// The place is searched for only where it is needed: a file may have many patterns.
Regex read_regex(const base::JsonCursor& field) {
  try {
    return Regex(field.string(), std::string(field.source()));
  } catch (const base::Error&) {
    return Regex(field.string(), field.place());
  }
}

}  // namespace

Regex read_pattern(const base::JsonCursor& pattern) {
  pattern.expect_only({"String", "Regex"});
  if (pattern.value().size() != 1) pattern.refuse("must have one field, String or Regex");
  if (const base::JsonCursor text = pattern.get("String"); !text.is_absent()) {
    return Regex::literal(text.nonempty_string(), std::string(text.source()));
  }
  return read_regex(pattern.at("Regex"));
}

}  // namespace cuset::text
