#include "verify/judge/surroundings.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuset {
namespace {

constexpr uint64_t kEachSide = 2;
constexpr uint64_t kOfPart = 4;

std::string shown(const std::string& name, const Array& array, uint64_t first, uint64_t last) {
  std::string text =
      first == last ? fmt::format("{}[{}] =", name, first) : fmt::format("{}[{}..{}] =", name, first, last);
  for (uint64_t i = first; i <= last; ++i) text += fmt::format(" {:.6g}", array.at(i));
  return text;
}

}  // namespace

std::string surroundings(const std::vector<TaskInput>& names, const std::vector<Array>& inputs,
                         uint64_t index, uint64_t count) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t size = inputs[i].count();
    if (size == 0 || count == 0 || size % count != 0) continue;
    const uint64_t ratio = size / count;
    if (ratio == 1) {
      const uint64_t first = index < kEachSide ? 0 : index - kEachSide;
      parts.push_back(shown(names[i].name, inputs[i], first, std::min(index + kEachSide, size - 1)));
    } else {
      const uint64_t first = index * ratio;
      parts.push_back(shown(names[i].name, inputs[i], first, first + std::min(ratio, kOfPart) - 1));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace cuset
