// A value inside a JSON file together with its place, so that whatever is wrong with it can be said in one
// line: "tokenizer.json: pre_tokenizer.pretokenizers[1].type: ...".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace cuset {

// Borrows the value: the document must outlive it. Every failure is an Error that opens with the place.
class JsonPlace {
 public:
  JsonPlace(const Json& value, std::string place) : value_(&value), place_(std::move(place)) {}

  const Json& value() const { return *value_; }
  const std::string& place() const { return place_; }
  bool is_null() const { return value_->is_null(); }

  // The member `key` of an object; an Error if there is none.
  JsonPlace at(std::string_view key) const;
  // The same, as a null value if there is none.
  JsonPlace get(std::string_view key) const;
  // The element `index` of an array.
  JsonPlace at(size_t index) const;
  // Number of elements; an Error if this is no array.
  size_t array_size() const;

  std::string string() const;
  bool boolean() const;
  // `fallback` where the value is null.
  bool boolean_or(bool fallback) const { return is_null() ? fallback : boolean(); }
  // A whole number from 0 to 2^32 - 2.
  uint32_t number() const;

  // Refuses an object that has a member not in `known`: what we do not know we cannot honour.
  void expect_only(std::initializer_list<std::string_view> known) const;

  [[noreturn]] void refuse(std::string_view reason) const { throw Error("{}: {}", place_, reason); }

 private:
  const Json* value_;
  std::string place_;
};

}  // namespace cuset
