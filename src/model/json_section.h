// An object of a JSON file that is read key by key, with messages that name the file and the whole key:
//   model/config.json: rope_scaling.factor must be a number, not "4"
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"

namespace cuset {

// A JSON value fit for a one-line message.
std::string shown_json(const Json& value);

// Borrows the object and the file's name. A key whose value is null counts as absent, as in Python's
// configuration classes. Every reader throws Error for a value of the wrong kind.
class JsonSection {
 public:
  JsonSection(const Json& object, std::string_view file, std::string prefix = "");

  // Null where the key is absent.
  const Json* find(std::string_view key) const;
  const std::string* text(std::string_view key) const;
  std::optional<JsonSection> section(std::string_view key) const;

  // A whole number from 1 to `most`.
  std::optional<int64_t> integer(std::string_view key, int64_t most) const;
  int64_t required_integer(std::string_view key, int64_t most) const;

  std::optional<double> number(std::string_view key) const;
  std::optional<double> positive(std::string_view key) const;

  // False where absent.
  bool flag(std::string_view key) const;

  // Throws where the number is there and not `only`.
  void expect(std::string_view key, double only) const;

  // Throws for a key that is not one of `known`.
  void expect_keys(const std::set<std::string_view>& known) const;

  // Throws Error "FILE: KEY REASON".
  [[noreturn]] void refuse(std::string_view key, std::string_view reason, std::string_view remedy = "") const;

 private:
  std::string full(std::string_view key) const;

  const Json* object_;
  std::string_view file_;
  std::string prefix_;
};

}  // namespace cuset
