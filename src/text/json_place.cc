#include "text/json_place.h"

#include <algorithm>

namespace cuset {

JsonPlace JsonPlace::get(std::string_view key) const {
  static const Json null;
  if (!value_->is_object()) refuse("must be an object");
  // Places read "file: a.b[0]": the first member follows ": ", later ones a dot.
  const bool top = place_.find(": ") == std::string::npos;
  const auto member = value_->find(std::string(key));
  return {member == value_->end() ? null : *member, fmt::format("{}{}{}", place_, top ? ": " : ".", key)};
}

JsonPlace JsonPlace::at(std::string_view key) const {
  if (!value_->is_object()) refuse("must be an object");
  if (!value_->contains(std::string(key))) refuse(fmt::format("has no member \"{}\"", key));
  return get(key);
}

JsonPlace JsonPlace::at(size_t index) const {
  return {value_->at(index), fmt::format("{}[{}]", place_, index)};
}

size_t JsonPlace::array_size() const {
  if (!value_->is_array()) refuse("must be an array");
  return value_->size();
}

std::string JsonPlace::string() const {
  if (!value_->is_string()) refuse("must be a string");
  return value_->get<std::string>();
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean()) refuse("must be true or false");
  return value_->get<bool>();
}

uint32_t JsonPlace::number() const {
  if (!value_->is_number_unsigned() || value_->get<uint64_t>() >= UINT32_MAX) {
    refuse("must be a whole number below 4294967295");
  }
  return value_->get<uint32_t>();
}

void JsonPlace::expect_only(std::initializer_list<std::string_view> known) const {
  if (!value_->is_object()) refuse("must be an object");
  for (const auto& [key, unused] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse(fmt::format("the member {} is not supported", in_quotes(key)));
    }
  }
}

}  // namespace cuset
