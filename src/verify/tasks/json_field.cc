#include "verify/tasks/json_field.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset {
namespace {

constexpr size_t kMostAxes = 32;

std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_structured()) return value.is_object() ? "an object" : "a list";
  return to_json_line(value);
}

}  // namespace

JsonField JsonField::operator[](std::string_view name) const {
  static const Json null;
  const auto found = value_->find(std::string(name));
  return {found == value_->end() ? null : *found, place_,
          key_.empty() ? std::string(name) : fmt::format("{}.{}", key_, name)};
}

std::vector<JsonField> JsonField::elements() const {
  std::vector<JsonField> fields;
  if (is_absent()) return fields;
  if (!value_->is_array()) refuse_type("a list");
  fields.reserve(value_->size());
  for (size_t i = 0; i < value_->size(); ++i) {
    fields.emplace_back((*value_)[i], place_, fmt::format("{}[{}]", key_, i));
  }
  return fields;
}

void JsonField::expect_only(const std::vector<std::string_view>& known) const {
  if (!value_->is_object()) refuse_type("an object");
  for (const auto& [key, member] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string_view inside = key_.empty() ? "the task" : std::string_view(key_);
    throw Error("{}: {} has no key {}{}", place_, inside, in_quotes(key), did_you_mean(key, known))
        .with_remedy("known here: {}", fmt::join(known, ", "));
  }
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse_type("a string");
  return value_->get_ref<const std::string&>();
}

const std::string& JsonField::name() const {
  if (text().empty()) refuse("must not be empty");
  return text();
}

bool JsonField::flag_or(bool fallback) const {
  if (is_absent()) return fallback;
  if (!value_->is_boolean()) refuse_type("true or false");
  return value_->get<bool>();
}

double JsonField::number() const {
  if (!value_->is_number()) refuse_type("a number");
  return value_->get<double>();
}

int64_t JsonField::whole(int64_t low, int64_t high) const {
  const double value = number();
  const bool fits = value == std::floor(value) && std::abs(value) <= 0x1p53 &&
                    value >= static_cast<double>(low) && value <= static_cast<double>(high);
  if (!fits) {
    refuse(fmt::format("must be a whole number from {} to {}, not {}", low, high, shown(*value_)));
  }
  return static_cast<int64_t>(value);
}

int64_t JsonField::whole_or(int64_t fallback, int64_t low, int64_t high) const {
  return is_absent() ? fallback : whole(low, high);
}

Shape JsonField::shape() const {
  if (is_absent()) refuse_type("a list of whole numbers");
  Shape shape;
  if (value_->is_array() && value_->size() > kMostAxes)
    refuse(fmt::format("has more than {} axes", kMostAxes));
  for (const JsonField& side : elements()) shape.push_back(side.whole(0, int64_t{1} << 48));
  try {
    count_of(shape);
  } catch (const Error&) {
    refuse("has more than 2^48 numbers");
  }
  return shape;
}

std::vector<std::string> JsonField::texts() const {
  std::vector<std::string> all;
  for (const JsonField& element : elements()) all.push_back(element.text());
  return all;
}

void JsonField::refuse(std::string_view reason, std::string_view remedy) const {
  throw Error("{}: {} {}", place_, key_.empty() ? "the task" : key_, reason).with_remedy("{}", remedy);
}

void JsonField::refuse_name(std::string_view what, const std::vector<std::string_view>& known) const {
  const std::string& wrong = text();
  refuse(fmt::format("is {}, no {}{}", in_quotes(wrong), what, did_you_mean(wrong, known)),
         fmt::format("one of: {}", fmt::join(known, ", ")));
}

void JsonField::refuse_type(std::string_view wanted) const {
  if (is_absent()) refuse(fmt::format("is missing; it must be {}", wanted));
  refuse(fmt::format("must be {}, not {}", wanted, shown(*value_)));
}

}  // namespace cuset
