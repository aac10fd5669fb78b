#include "train/records/state_field.h"

#include <limits>

#include "base/error.h"

namespace cuset {
namespace {

constexpr const char* kRemedy = "resume from another checkpoint";

const Json& field(const Json& object, std::string_view key, std::string_view name) {
  if (object.is_object()) {
    const auto found = object.find(std::string(key));
    if (found != object.end()) return *found;
  }
  throw Error("{}: '{}' is missing", name, key).with_remedy("{}", kRemedy);
}

const Json& expect(bool fits, const Json& value, std::string_view key, std::string_view name,
                   const char* kind) {
  if (!fits) throw Error("{}: '{}' must be {}", name, key, kind).with_remedy("{}", kRemedy);
  return value;
}

}  // namespace

int64_t integer_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  // What does not fit into int64 is stored as unsigned.
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() &&
                      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
  return expect(fits, value, key, name, "a whole number").get<int64_t>();
}

uint64_t unsigned_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  return expect(value.is_number_unsigned(), value, key, name, "a whole number of 0 or more").get<uint64_t>();
}

double number_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  return expect(value.is_number(), value, key, name, "a number").get<double>();
}

std::string text_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  return expect(value.is_string(), value, key, name, "a text").get<std::string>();
}

const Json& object_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  return expect(value.is_object(), value, key, name, "an object");
}

const Json& array_field(const Json& object, std::string_view key, std::string_view name) {
  const Json& value = field(object, key, name);
  return expect(value.is_array(), value, key, name, "a list");
}

}  // namespace cuset
