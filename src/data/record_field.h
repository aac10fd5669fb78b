// A value of a record together with the way to it, so that whatever is wrong with it is said in one line:
// "data.jsonl:7: messages[2].role: ...". A key whose value is null counts as absent.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace cuset {

// The value of a key of an object, or a null value where it is absent.
const Json& value_at(const Json& object, std::string_view key);

// Borrows the value and the place. Every failure is an Error with the remedy given.
struct RecordField {
  const Json& value;
  std::string_view place;  // "data.jsonl:7"
  std::string key;         // "messages[2].role"; empty for the record itself

  // A member of an object, or an element of an array.
  RecordField operator[](std::string_view name) const;
  RecordField operator[](size_t index) const;

  bool is_null() const { return value.is_null(); }
  const std::string& text(std::string_view remedy) const;
  // The value that a text holds as JSON.
  Json json_in_text(std::string_view remedy) const;

  [[noreturn]] void refuse(std::string_view reason, std::string_view remedy) const;
  // "must be a string, not number", or "is missing"; `wanted` is "a string".
  [[noreturn]] void refuse_type(std::string_view wanted, std::string_view remedy) const;
};

}  // namespace cuset
