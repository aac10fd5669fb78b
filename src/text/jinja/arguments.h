// Arguments of a call, matched to parameter names as Python does.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/value.h"

namespace cuset::text::jinja {

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};

// The arguments in the order of the parameters. Fails for too many, unknown, doubled or missing ones.
class BoundArguments {
 public:
  // The first `required` parameters must be given.
  BoundArguments(const Arguments& arguments, std::initializer_list<std::string_view> names,
                 size_t required = 0);

  // Null if the argument was not given.
  const Value* at(size_t index) const { return values_[index] ? &*values_[index] : nullptr; }
  const Value& operator[](size_t index) const { return *values_[index]; }
  bool flag(size_t index, bool otherwise = false) const;
  int64_t integer(size_t index, int64_t otherwise) const;
  // The argument if it was given and is not none.
  const Value* given(size_t index) const;

 private:
  std::vector<std::optional<Value>> values_;
};

}  // namespace cuset::text::jinja
