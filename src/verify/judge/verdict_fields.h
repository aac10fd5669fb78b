// The fields of a saved verdict, taken out with the place and key in every complaint. Numbers that JSON has
// no word for are written as texts: "nan", "inf", "-inf".
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace cuset {

inline Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

class RecordFields {
 public:
  RecordFields(const Json& record, std::string place) : record_(record), place_(std::move(place)) {
    if (!record.is_object()) throw Error("{}: not an object", place_);
  }

  bool has(const char* key) const { return record_.contains(key); }

  std::string text(const char* key) const {
    const Json& value = required(key);
    if (!value.is_string()) throw wrong(key, "a text");
    return value.get<std::string>();
  }
  std::string text(const char* key, const std::string& otherwise) const {
    return has(key) ? text(key) : otherwise;
  }

  uint64_t count(const char* key) const {
    const Json& value = required(key);
    if (!value.is_number_unsigned()) throw wrong(key, "a whole number from 0");
    return value.get<uint64_t>();
  }

  double real(const char* key) const {
    const Json& value = required(key);
    if (value.is_number()) return value.get<double>();
    if (value == "nan") return std::nan("");
    if (value == "inf") return HUGE_VAL;
    if (value == "-inf") return -HUGE_VAL;
    throw wrong(key, "a number");
  }

  // What `lookup` makes of the text.
  template <typename Lookup>
  auto named(const char* key, const Lookup& lookup) const {
    const std::string name = text(key);
    const auto found = lookup(name);
    if (!found) throw Error("{}: '{}' has the unknown word {}", place_, key, in_quotes(name));
    return *found;
  }

  RecordFields object(const char* key) const {
    return RecordFields(required(key), place_ + ", '" + key + "'");
  }

  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    for (const Json& item : array(key)) {
      if (!item.is_string()) throw wrong(key, "a list of texts");
      all.push_back(item.get<std::string>());
    }
    return all;
  }

  // One `make(RecordFields)` for each object of the list; an absent key is an empty list.
  template <typename Make>
  auto list(const char* key, const Make& make) const {
    std::vector<decltype(make(*this))> all;
    if (!has(key)) return all;
    for (const Json& item : array(key)) all.push_back(make(RecordFields(item, place_ + ", '" + key + "'")));
    return all;
  }

 private:
  const Json& required(const char* key) const {
    const auto found = record_.find(key);
    if (found == record_.end()) throw Error("{}: '{}' is missing", place_, key);
    return *found;
  }
  const Json& array(const char* key) const {
    const Json& value = required(key);
    if (!value.is_array()) throw wrong(key, "a list");
    return value;
  }
  Error wrong(const char* key, const char* wanted) const {
    return Error("{}: '{}' is not {}", place_, key, wanted);
  }

  const Json& record_;
  std::string place_;
};

}  // namespace cuset
