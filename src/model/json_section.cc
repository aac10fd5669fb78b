#include "model/json_section.h"

#include "base/error.h"

namespace cuset {

std::string shown_json(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_structured()) return value.is_object() ? "an object" : "a list";
  return to_json_line(value);
}

JsonSection::JsonSection(const Json& object, std::string_view file, std::string prefix)
    : object_(&object), file_(file), prefix_(std::move(prefix)) {
  if (!object.is_object()) {
    throw Error("{}: {} must be an object, not {}", file_, prefix_.empty() ? "the content" : prefix_,
                shown_json(object));
  }
}

const Json* JsonSection::find(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

const std::string* JsonSection::text(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return nullptr;
  if (!value->is_string()) refuse(key, fmt::format("must be a string, not {}", shown_json(*value)));
  return value->get_ptr<const std::string*>();
}

std::optional<JsonSection> JsonSection::section(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  return JsonSection(*value, file_, full(key));
}

std::optional<int64_t> JsonSection::integer(std::string_view key, int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  // As unsigned, what is negative lies beyond every limit.
  const bool fits = value->is_number_integer() && value->get<uint64_t>() >= 1 &&
                    value->get<uint64_t>() <= static_cast<uint64_t>(most);
  if (!fits) {
    refuse(key, fmt::format("must be a whole number from 1 to {}, not {}", most, shown_json(*value)));
  }
  return value->get<int64_t>();
}

int64_t JsonSection::required_integer(std::string_view key, int64_t most) const {
  const std::optional<int64_t> value = integer(key, most);
  if (!value) refuse(key, "is missing");
  return *value;
}

std::optional<double> JsonSection::number(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) refuse(key, fmt::format("must be a number, not {}", shown_json(*value)));
  return value->get<double>();
}

std::optional<double> JsonSection::positive(std::string_view key) const {
  const std::optional<double> value = number(key);
  if (value && !(*value > 0)) refuse(key, fmt::format("must be above 0, not {}", *value));
  return value;
}

bool JsonSection::flag(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) refuse(key, fmt::format("must be true or false, not {}", shown_json(*value)));
  return value->get<bool>();
}

void JsonSection::expect(std::string_view key, double only) const {
  const std::optional<double> value = number(key);
  if (value && *value != only) refuse(key, fmt::format("is {}; only {} is supported", *value, only));
}

void JsonSection::expect_keys(const std::set<std::string_view>& known) const {
  for (const auto& [key, value] : object_->items()) {
    if (!known.contains(key)) refuse(in_quotes(key), "is not supported");
  }
}

void JsonSection::refuse(std::string_view key, std::string_view reason, std::string_view remedy) const {
  throw Error("{}: {} {}", file_, full(key), reason).with_remedy("{}", remedy);
}

std::string JsonSection::full(std::string_view key) const {
  return prefix_.empty() ? std::string(key) : fmt::format("{}.{}", prefix_, key);
}

}  // namespace cuset
