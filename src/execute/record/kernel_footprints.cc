#include "execute/record/kernel_footprints.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/lines.h"

namespace cuset::execute {
namespace {

struct FootprintLine {
  uint64_t bytes = 0;
  uint64_t launches = 0;
  uint64_t grid[3] = {};
  uint64_t block[3] = {};
  std::string_view name;
};

// Takes a number and the letter behind it.
bool take_number(std::string_view& text, char behind, uint64_t& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end == text.data() + text.size() || *end != behind) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return true;
}

bool take_shape(std::string_view& text, uint64_t (&sizes)[3]) {
  return take_number(text, ',', sizes[0]) && take_number(text, ',', sizes[1]) &&
         take_number(text, ' ', sizes[2]);
}

std::optional<FootprintLine> parse_footprint(std::string_view text) {
  FootprintLine line;
  if (!take_number(text, ' ', line.bytes) || !take_number(text, ' ', line.launches) || line.launches == 0 ||
      !take_shape(text, line.grid) || !take_shape(text, line.block))
    return std::nullopt;
  line.name = text;
  return line;
}

bool is_of(const FootprintLine& line, const KernelLaunches& kernel) {
  return line.name == kernel.name && std::equal(line.grid, line.grid + 3, kernel.grid) &&
         std::equal(line.block, line.block + 3, kernel.block);
}

}  // namespace

void add_footprints(std::string_view text, std::vector<KernelLaunches>& kernels) {
  for (const std::string_view whole_line : base::lines_of(text)) {
    const std::optional<FootprintLine> line = parse_footprint(whole_line);
    if (!line) continue;
    for (KernelLaunches& kernel : kernels)
      if (is_of(*line, kernel)) kernel.footprint_bytes = line->bytes / line->launches;
  }
}

}  // namespace cuset::execute
