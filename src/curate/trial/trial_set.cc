#include "curate/trial/trial_set.h"
#include "base/lower_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace cuset::curate {
namespace {

constexpr int64_t kBufferElements = 65536;
constexpr int64_t kMostThreads = 1024;
constexpr int64_t kDynamicSharedBytes = 32768;

bool mentions(const std::string& text, std::initializer_list<const char*> parts) {
  const std::string small = base::in_lower_case(text);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return small.find(part) != std::string::npos; });
}

// The value of a whole number that is no size; nothing of one that is.
std::optional<double> special_value(const cuda_source::KernelParameter& parameter) {
  if (mentions(parameter.type, {"bool"})) return 1;
  if (mentions(parameter.name, {"stride", "dilation", "radius", "pad", "step", "increment"})) return 1;
  if (mentions(parameter.name, {"iter"})) return 2;
  if (mentions(parameter.name, {"offset", "start", "axis", "idx", "index", "mode", "flag", "device"}))
    return 0;
  if (mentions(parameter.name, {"seed"})) return 7;
  return std::nullopt;
}

struct SizeRange {
  int64_t low = 0;
  int64_t high = 0;
};

// Such that the product of all sizes, of three at most, stays within the buffers.
SizeRange range_of_sizes(size_t sizes, int dimensions, SizeGuess guess) {
  if (sizes == 1 && dimensions == 1 && guess == SizeGuess::kUsual) return {300, 2000};
  if (sizes <= 3) return {17, 40};
  if (sizes == 4) return {4, 15};
  return sizes == 5 ? SizeRange{3, 8} : SizeRange{2, 5};
}

std::array<int64_t, 3> block_for(const cuda_source::KernelInterface& kernel) {
  const std::array<int64_t, 3>& told = kernel.block;
  if (told[0] > 0 && told[0] * told[1] * told[2] <= kMostThreads) return told;
  const std::vector<int64_t>& sides = kernel.shared_sides;
  if (kernel.dimensions == 1 && sides.size() == 1 && sides[0] >= 32 && sides[0] <= kMostThreads)
    return {sides[0], 1, 1};
  if (kernel.dimensions == 2 && sides.size() == 2) {
    const int64_t side = std::min(sides[0], sides[1]);
    if (side >= 4 && side <= 32) return {side, side, 1};
  }
  if (kernel.dimensions == 1) return {256, 1, 1};
  return kernel.dimensions == 2 ? std::array<int64_t, 3>{16, 16, 1} : std::array<int64_t, 3>{8, 8, 4};
}

TrialArgument buffer_for(const cuda_source::KernelParameter& parameter, size_t set) {
  TrialArgument buffer;
  buffer.is_buffer = true;
  buffer.count = kBufferElements;
  if (mentions(parameter.type, {"bool"})) {
    buffer.high = 2;
  } else if (mentions(parameter.type, {"char", "int8"})) {
    buffer.high = 127;
  } else if (mentions(parameter.type, {"int", "long", "short", "unsigned", "size_t"})) {
    buffer.is_ascending = mentions(parameter.name, {"ptr", "offset", "start", "row_"});
    buffer.high = buffer.is_ascending ? kBufferElements - 1 : 16;
  } else {
    // Every second set is positive, for kernels with logarithms and roots.
    buffer.low = set % 2 == 0 ? -1 : 0.01;
  }
  return buffer;
}

class SetDrawer {
 public:
  SetDrawer(const cuda_source::KernelInterface& kernel, SizeGuess guess)
      : kernel_(kernel), block_(block_for(kernel)) {
    size_t sizes = 0;
    for (const cuda_source::KernelParameter& parameter : kernel.parameters)
      sizes += is_size(parameter) ? 1 : 0;
    range_ = range_of_sizes(sizes, kernel.dimensions, guess);
  }

  TrialSet draw(size_t number, base::RandomStream stream) const {
    TrialSet set;
    set.block = block_;
    set.shared_bytes = kernel_.has_dynamic_shared ? kDynamicSharedBytes : 0;
    set.seed = stream.next_u32();
    int64_t total = 1, largest = 1;
    for (const cuda_source::KernelParameter& parameter : kernel_.parameters) {
      set.arguments.push_back(parameter.is_pointer ? buffer_for(parameter, number)
                                                   : value_for(parameter, stream));
      if (!is_size(parameter)) continue;
      const auto size = static_cast<int64_t>(set.arguments.back().value);
      total = std::min(total * size, kBufferElements);
      largest = std::max(largest, size);
    }
    if (largest == 1) total = largest = 1000;  // no size is told
    set_grid(total, largest, set);
    return set;
  }

 private:
  static bool is_size(const cuda_source::KernelParameter& parameter) {
    return !parameter.is_pointer && parameter.is_integer && !special_value(parameter);
  }

  TrialArgument value_for(const cuda_source::KernelParameter& parameter, base::RandomStream& stream) const {
    TrialArgument argument;
    if (is_size(parameter)) {
      const auto span = static_cast<uint64_t>(range_.high - range_.low + 1);
      argument.value = static_cast<double>(range_.low + static_cast<int64_t>(stream.below(span)));
    } else if (parameter.is_integer) {
      argument.value = *special_value(parameter);
    } else {
      argument.value = mentions(parameter.name, {"eps"}) ? 1e-5 : 0.5 + stream.uniform();
    }
    return argument;
  }

  // One dimension covers the product of all sizes; several cover the largest each.
  void set_grid(int64_t total, int64_t largest, TrialSet& set) const {
    if (!kernel_.has_several_blocks) return;
    const auto cover = [](int64_t size, int64_t side) { return (size + side - 1) / side; };
    if (kernel_.dimensions == 1) {
      set.grid[0] = std::max<int64_t>(1, std::min(cover(total, block_[0]), kBufferElements / block_[0]));
      return;
    }
    for (int i = 0; i < kernel_.dimensions; ++i)
      set.grid[i] = cover(std::min<int64_t>(largest, 40), block_[i]);
  }

  const cuda_source::KernelInterface& kernel_;
  std::array<int64_t, 3> block_;
  SizeRange range_;
};

}  // namespace

std::vector<TrialSet> draw_trial_sets(const cuda_source::KernelInterface& kernel, size_t count,
                                      SizeGuess guess, const base::RandomStream& stream) {
  const SetDrawer drawer(kernel, guess);
  std::vector<TrialSet> sets;
  for (size_t i = 0; i < count; ++i) sets.push_back(drawer.draw(i, stream.child(i)));
  return sets;
}

std::string template_arguments_for(const cuda_source::KernelInterface& kernel) {
  if (!kernel.template_arguments.empty()) return kernel.template_arguments;
  std::vector<std::string> arguments;
  for (const cuda_source::TemplateParameter& parameter : kernel.template_parameters)
    arguments.push_back(parameter.is_type ? "float" : std::to_string(block_for(kernel)[0]));
  return fmt::format("{}", fmt::join(arguments, ", "));
}

std::vector<std::string> words_of(const TrialSet& set) {
  std::vector<std::string> words;
  for (const int64_t side : set.grid) words.push_back(std::to_string(side));
  for (const int64_t side : set.block) words.push_back(std::to_string(side));
  words.push_back(std::to_string(set.shared_bytes));
  words.push_back(std::to_string(set.seed));
  for (const TrialArgument& argument : set.arguments) {
    if (!argument.is_buffer) {
      words.push_back(fmt::format("{}", argument.value));
      continue;
    }
    words.push_back(std::to_string(argument.count));
    words.push_back(fmt::format("{}", argument.low));
    words.push_back(fmt::format("{}", argument.high));
    words.push_back(argument.is_ascending ? "1" : "0");
  }
  return words;
}

}  // namespace cuset::curate
