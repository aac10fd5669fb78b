#include "tasks/oracles/native_window.h"

#include <fmt/format.h>

namespace cuset::tasks {

std::vector<int64_t> per_axis(const base::JsonCursor& field, size_t axes, int64_t usual, int64_t least) {
  constexpr int64_t kMost = 1 << 20;
  if (!field.value().is_array()) return std::vector<int64_t>(axes, field.integer_or(usual, least, kMost));
  std::vector<int64_t> numbers;
  for (const base::JsonCursor& element : field.elements_or_none())
    numbers.push_back(element.integer(least, kMost));
  if (numbers.size() != axes) field.refuse(fmt::format("must have {} numbers or be one", axes));
  return numbers;
}

}  // namespace cuset::tasks
