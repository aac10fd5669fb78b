#include "judge/trials/proof_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_set>

#include "judge/trials/expected.h"
#include "judge/trials/word_set.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kKnownElements = 16;        // of an input that the host may know
constexpr uint64_t kMostToChange = 128 << 20;  // bytes of inputs whose numbers are left as they were drawn
constexpr size_t kTellingWords = 256;  // of an output, which nearly always tell whether it is computed

// Whether small inputs are but sizes and factors of others.
bool has_large_input(const std::vector<tasks::Array>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const tasks::Array& array) { return array.count() > kKnownElements; });
}

// The same numbers in another order, where a task has only one trial.
std::vector<tasks::Array> reversed(std::vector<tasks::Array> arrays) {
  for (tasks::Array& array : arrays) {
    const size_t width = tasks::bytes_of(array.type);
    for (size_t i = 0, j = array.bytes.size(); i + width < j; i += width) {
      j -= width;
      std::swap_ranges(array.bytes.begin() + static_cast<ptrdiff_t>(i),
                       array.bytes.begin() + static_cast<ptrdiff_t>(i + width),
                       array.bytes.begin() + static_cast<ptrdiff_t>(j));
    }
  }
  return arrays;
}

// Inputs as large as those of trial 0, with other contents.
std::vector<tasks::Array> inputs_to_show(const Expected& expected) {
  const std::vector<tasks::Array>& real = expected.trials[0].inputs;
  for (size_t i = 1; i < expected.trials.size(); ++i)
    if (have_same_sizes(expected.trials[i].inputs, real)) return expected.trials[i].inputs;
  return reversed(real);
}

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kThousandth = 0x3a83126f;

// A number of the same sign that is not in `seen` yet, the next larger one where this is; small ones, of which zeros are
// what hosts also pad with, become a thousandth. Nothing where none is left.
std::optional<float> distinct_from(WordSet& seen, float number) {
  auto bits = std::bit_cast<uint32_t>(number);
  if ((bits & ~kSign) == 0) bits |= kThousandth;
  uint64_t found = seen.next_absent(bits);
  if (found != bits && (bits & ~kSign) < kThousandth) found = seen.next_absent((bits & kSign) | kThousandth);
  if (found > UINT32_MAX || !std::isfinite(std::bit_cast<float>(static_cast<uint32_t>(found))))
    return std::nullopt;
  seen.insert(static_cast<uint32_t>(found));
  return std::bit_cast<float>(static_cast<uint32_t>(found));
}

// Doubles as floats, too, because hosts convert them.
template <typename Number>
void make_distinct(std::vector<std::byte>& bytes, WordSet& seen) {
  for (size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    const auto narrow = static_cast<float>(number);
    if (!std::isfinite(narrow)) continue;
    if (const std::optional<float> distinct = distinct_from(seen, narrow); distinct && *distinct != narrow) {
      number = *distinct;
      std::memcpy(bytes.data() + at, &number, sizeof number);
    }
  }
}

// Calls `see` with the words of four bytes of each array, zeros aside, until it returns false; `most` of each array.
template <class See>
bool see_words(const std::vector<tasks::Array>& arrays, size_t most, See see) {
  for (const tasks::Array& array : arrays) {
    for (size_t at = 0; at + 4 <= array.bytes.size() && at / 4 < most; at += 4) {
      uint32_t word;
      std::memcpy(&word, array.bytes.data() + at, 4);
      if (word != 0 && !see(word)) return false;
    }
  }
  return true;
}

// The first words of an output that computes something are nearly always enough to tell.
bool may_rearrange(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs) {
  std::unordered_set<uint32_t> missing;
  see_words(outputs, kTellingWords, [&](uint32_t word) { return missing.insert(word), true; });
  see_words(inputs, SIZE_MAX, [&](uint32_t word) { return missing.erase(word), !missing.empty(); });
  return missing.empty();
}

// Those of runtime/device_process/input_masks.cc: as it is, without its fraction, its last byte or two, a color.
using Conversion = double (*)(double);
constexpr Conversion kConversions[] = {
    [](double value) { return value; }, [](double value) { return std::trunc(value); },
    [](double value) { return static_cast<double>(static_cast<int8_t>(static_cast<int64_t>(value))); },
    [](double value) { return static_cast<double>(static_cast<int16_t>(static_cast<int64_t>(value))); },
    [](double value) { return value / 255; }};
constexpr double kLargestWhole = 9e18;  // that an int64_t holds

bool is_converted(const tasks::Array& input, const tasks::Array& output, Conversion convert) {
  if (input.count() != output.count()) return false;
  for (uint64_t i = 0; i < output.count(); ++i) {
    const double value = input.at(i);
    if (!(std::fabs(value) < kLargestWhole)) continue;
    const double wanted = convert(value);
    if (!(std::fabs(output.at(i) - wanted) <= 1e-6 * std::fabs(wanted))) return false;
  }
  return true;
}

}  // namespace

const ProofInputs& ProofInputsOnce::of(const Expected& expected) {
  std::call_once(once_, [&] {
    const ExpectedTrial& real = expected.trials[0];
    inputs_ = {inputs_for_host(inputs_to_show(expected), real.inputs),
               only_rearranges(real.inputs, real.outputs) || only_converts(real.inputs, real.outputs)};
  });
  return inputs_;
}

std::vector<tasks::Array> inputs_for_host(std::vector<tasks::Array> other,
                                          const std::vector<tasks::Array>& real) {
  const bool has_large = has_large_input(real);
  if (bytes_of(real) > kMostToChange) {
    for (size_t i = 0; i < real.size(); ++i)
      if (real[i].count() <= kKnownElements) other[i] = real[i];
    return other;
  }
  WordSet seen;
  for (size_t i = 0; i < real.size(); ++i) {
    tasks::Array& array = other[i];
    if (has_large && real[i].count() <= kKnownElements) {
      array = real[i];
    } else if (array.type == tasks::NumberType::kFloat32) {
      make_distinct<float>(array.bytes, seen);
    } else if (array.type == tasks::NumberType::kFloat64) {
      make_distinct<double>(array.bytes, seen);
    }
  }
  return other;
}

bool have_same_sizes(const std::vector<tasks::Array>& one, const std::vector<tasks::Array>& other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](const tasks::Array& a, const tasks::Array& b) { return a.bytes.size() == b.bytes.size(); });
}

std::vector<tasks::Array> shown_with_sizes_of(const ProofInputs& inputs,
                                              const std::vector<tasks::Array>& real) {
  std::vector<tasks::Array> shown = inputs.shown;
  if (!has_large_input(real)) return shown;
  for (size_t i = 0; i < real.size(); ++i)
    if (real[i].count() <= kKnownElements) shown[i] = real[i];
  return shown;
}

bool adapt_to_proof(const ProofInputs& inputs, std::vector<tasks::Array>& real) {
  if (!have_same_sizes(inputs.shown, real)) return false;
  if (!has_large_input(real)) return true;
  for (size_t i = 0; i < real.size(); ++i)
    if (real[i].count() <= kKnownElements) real[i] = inputs.shown[i];
  return true;
}

bool only_rearranges(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs) {
  std::vector<tasks::Array> narrow;
  for (const tasks::Array& wide : outputs) {  // oracles may give wider types
    const tasks::NumberType type = tasks::is_floating(wide.type) ? tasks::NumberType::kFloat32 : wide.type;
    narrow.push_back(type == wide.type ? wide
                                       : tasks::Array::from_doubles(type, wide.shape, wide.to_doubles()));
  }
  if (!may_rearrange(inputs, narrow)) return false;
  WordSet words;
  see_words(inputs, SIZE_MAX, [&](uint32_t word) { return words.insert(word), true; });
  return see_words(narrow, SIZE_MAX, [&](uint32_t word) { return words.contains(word); });
}

bool only_converts(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs) {
  return std::ranges::all_of(outputs, [&](const tasks::Array& output) {
    return std::ranges::any_of(inputs, [&](const tasks::Array& input) {
      return std::ranges::any_of(kConversions,
                                 [&](Conversion convert) { return is_converted(input, output, convert); });
    });
  });
}

}  // namespace cuset::judge
