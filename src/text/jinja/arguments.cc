#include "text/jinja/arguments.h"

#include <algorithm>

namespace cuset::text::jinja {

BoundArguments::BoundArguments(const Arguments& arguments, std::initializer_list<std::string_view> names,
                               size_t required) {
  if (arguments.positional.size() > names.size()) {
    fail("{} arguments given where at most {} are taken", arguments.positional.size(), names.size());
  }
  values_.assign(arguments.positional.begin(), arguments.positional.end());
  values_.resize(names.size());
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) fail("unexpected argument '{}'", name);
    auto& place = values_[static_cast<size_t>(found - names.begin())];
    if (place) fail("argument '{}' given twice", name);
    place = value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (!values_[i]) fail("argument '{}' is missing", *(names.begin() + i));
  }
}

bool BoundArguments::flag(size_t index, bool otherwise) const {
  return values_[index] ? is_true(*values_[index]) : otherwise;
}

int64_t BoundArguments::integer(size_t index, int64_t otherwise) const {
  if (!values_[index]) return otherwise;
  const auto number = values_[index]->integer();
  if (!number) fail("an integer is needed, not {}", type_name(*values_[index]));
  return *number;
}

const Value* BoundArguments::given(size_t index) const {
  const Value* value = at(index);
  return value == nullptr || value->is<None>() ? nullptr : value;
}

}  // namespace cuset::text::jinja
