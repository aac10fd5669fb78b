#include "data/record_field.h"

#include <utility>
#include <variant>

#include "base/error.h"

namespace cuset {

const Json& value_at(const Json& object, std::string_view key) {
  static const Json null;
  const auto found = object.find(std::string(key));
  return found == object.end() ? null : *found;
}

RecordField RecordField::operator[](std::string_view name) const {
  return {value_at(value, name), place, key.empty() ? std::string(name) : fmt::format("{}.{}", key, name)};
}

RecordField RecordField::operator[](size_t index) const {
  return {value[index], place, fmt::format("{}[{}]", key, index)};
}

const std::string& RecordField::text(std::string_view remedy) const {
  if (!value.is_string()) refuse_type("a string", remedy);
  return value.get_ref<const std::string&>();
}

Json RecordField::json_in_text(std::string_view remedy) const {
  std::variant<Json, JsonFault> parsed = try_parse_json(text(remedy));
  if (const auto* fault = std::get_if<JsonFault>(&parsed)) {
    refuse(fmt::format("is not valid JSON: {}", fault->reason), remedy);
  }
  return std::get<Json>(std::move(parsed));
}

void RecordField::refuse(std::string_view reason, std::string_view remedy) const {
  throw Error("{}: {}: {}", place, key, reason).with_remedy("{}", remedy);
}

void RecordField::refuse_type(std::string_view wanted, std::string_view remedy) const {
  if (is_null()) refuse("is missing", remedy);
  refuse(fmt::format("must be {}, not {}", wanted, value.type_name()), remedy);
}

}  // namespace cuset
