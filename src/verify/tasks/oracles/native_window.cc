#include "verify/tasks/oracles/native_window.h"

#include <fmt/format.h>

namespace cuset {

std::vector<int64_t> per_axis(const JsonField& field, size_t axes, int64_t usual, int64_t least) {
  constexpr int64_t kMost = 1 << 20;
  if (!field.value().is_array()) return std::vector<int64_t>(axes, field.whole_or(usual, least, kMost));
  std::vector<int64_t> numbers;
  for (const JsonField& element : field.elements()) numbers.push_back(element.whole(least, kMost));
  if (numbers.size() != axes) field.refuse(fmt::format("must have {} numbers or be one", axes));
  return numbers;
}

}  // namespace cuset
