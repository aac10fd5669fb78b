// A value of a task's record together with the way to it, so that whatever is wrong with it is said in one
// line: "tasks.jsonl:7: inputs[2].domain.low must be a number, not "x"". A key whose value is null counts as
// absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "verify/tasks/array.h"

namespace cuset {

// Borrows the record: it must outlive the field. Every failure is an Error that opens with place and key.
class JsonField {
 public:
  JsonField(const Json& value, std::string place, std::string key = "")
      : value_(&value), place_(std::move(place)), key_(std::move(key)) {}

  const Json& value() const { return *value_; }
  const std::string& place() const { return place_; }
  bool is_absent() const { return value_->is_null(); }

  // A member of an object, absent where there is none.
  JsonField operator[](std::string_view name) const;
  // The elements of a list; none where it is absent.
  std::vector<JsonField> elements() const;

  // Refuses a value that is no object, and members that are not in `known`, with the nearest known name.
  void expect_only(const std::vector<std::string_view>& known) const;

  const std::string& text() const;
  // A text that is not empty.
  const std::string& name() const;
  std::string text_or(std::string_view fallback) const {
    return is_absent() ? std::string(fallback) : text();
  }
  bool flag_or(bool fallback) const;

  double number() const;
  double number_or(double fallback) const { return is_absent() ? fallback : number(); }
  // A whole number (also written as 4.0) within the limits.
  int64_t whole(int64_t low, int64_t high) const;
  int64_t whole_or(int64_t fallback, int64_t low, int64_t high) const;

  // A list of at most 32 whole numbers from 0 on, with a product that count_of allows.
  Shape shape() const;
  std::vector<std::string> texts() const;

  // Throws Error "PLACE: KEY REASON".
  [[noreturn]] void refuse(std::string_view reason, std::string_view remedy = "see docs/tasks.md") const;
  // Throws Error "PLACE: KEY is "nomal", no domain; did you mean ...", where `what` is "domain".
  [[noreturn]] void refuse_name(std::string_view what, const std::vector<std::string_view>& known) const;

 private:
  [[noreturn]] void refuse_type(std::string_view wanted) const;

  const Json* value_;
  std::string place_;
  std::string key_;
};

}  // namespace cuset
