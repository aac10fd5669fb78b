#include "judge/proof_inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "judge/expected.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kFewElements = 16;      // of an input that the host may know
constexpr uint64_t kMuchData = 128 << 20;  // bytes of inputs whose numbers are left as they were drawn
constexpr size_t kTellingWords = 256;      // of an output, which nearly always tell whether it is computed

bool same_sizes(const std::vector<tasks::Array>& one, const std::vector<tasks::Array>& other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](const tasks::Array& a, const tasks::Array& b) { return a.bytes.size() == b.bytes.size(); });
}

// Whether small inputs are but sizes and factors of others.
bool has_large_input(const std::vector<tasks::Array>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const tasks::Array& array) { return array.count() > kFewElements; });
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
    if (same_sizes(expected.trials[i].inputs, real)) return expected.trials[i].inputs;
  return reversed(real);
}

// The next number of the same sign, starting from a small one.
template <typename Bits>
Bits next_number(Bits bits, Bits smallest) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  return (bits & ~kSign) < smallest ? (bits & kSign) | smallest : bits + 1;
}

// The bits of all numbers so far, in a table at most half full; zeros, which hosts also pad with, count as
// seen.
template <typename Bits>
class SeenNumbers {
 public:
  explicit SeenNumbers(uint64_t numbers) : slots_(std::bit_ceil(2 * numbers + 2)) {
    insert(Bits{1} << (8 * sizeof(Bits) - 1));
  }

  // False where it was there.
  bool insert(Bits bits) {
    if (bits == 0) return false;
    const size_t last = slots_.size() - 1;
    for (size_t at = (uint64_t{bits} * 0x9e3779b97f4a7c15) >> 20 & last;; at = (at + 1) & last) {
      if (slots_[at] == bits) return false;
      if (slots_[at] != 0) continue;
      slots_[at] = bits;
      return true;
    }
  }

 private:
  std::vector<Bits> slots_;  // 0: free
};

template <typename Bits>
void make_distinct(std::vector<std::byte>& bytes, Bits smallest, SeenNumbers<Bits>& seen) {
  for (size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    while (!seen.insert(bits)) bits = next_number(bits, smallest);
    std::memcpy(bytes.data() + at, &bits, sizeof bits);
  }
}

uint64_t count_of_type(const std::vector<tasks::Array>& arrays, tasks::NumberType type) {
  uint64_t count = 0;
  for (const tasks::Array& array : arrays) count += array.type == type ? array.count() : 0;
  return count;
}

// The first words of four bytes of each array, zeros aside.
std::unordered_set<uint32_t> words_of(const std::vector<tasks::Array>& arrays, size_t most) {
  std::unordered_set<uint32_t> words;
  for (const tasks::Array& array : arrays) {
    for (size_t at = 0; at + 4 <= array.bytes.size() && at / 4 < most; at += 4) {
      uint32_t word;
      std::memcpy(&word, array.bytes.data() + at, 4);
      if (word != 0) words.insert(word);
    }
  }
  return words;
}

bool all_occur(std::unordered_set<uint32_t> words, const std::vector<tasks::Array>& arrays) {
  for (const tasks::Array& array : arrays) {
    for (size_t at = 0; at + 4 <= array.bytes.size() && !words.empty(); at += 4) {
      uint32_t word;
      std::memcpy(&word, array.bytes.data() + at, 4);
      words.erase(word);
    }
  }
  return words.empty();
}

}  // namespace

const ProofInputs& ProofInputsOnce::of(const Expected& expected) {
  std::call_once(once_, [&] {
    const ExpectedTrial& real = expected.trials[0];
    inputs_ = {inputs_for_host(inputs_to_show(expected), real.inputs),
               only_rearranges(real.inputs, real.outputs)};
  });
  return inputs_;
}

std::vector<tasks::Array> inputs_for_host(std::vector<tasks::Array> other,
                                          const std::vector<tasks::Array>& real) {
  constexpr uint32_t kThousandth = 0x3a83126f;
  constexpr uint64_t kThousandthOfDouble = 0x3f50624dd2f1a9fc;
  const bool has_large = has_large_input(real);
  if (bytes_of(real) > kMuchData) {
    for (size_t i = 0; i < real.size(); ++i)
      if (real[i].count() <= kFewElements) other[i] = real[i];
    return other;
  }
  SeenNumbers<uint32_t> floats(count_of_type(other, tasks::NumberType::kFloat32));
  SeenNumbers<uint64_t> doubles(count_of_type(other, tasks::NumberType::kFloat64));
  for (size_t i = 0; i < real.size(); ++i) {
    tasks::Array& array = other[i];
    if (has_large && real[i].count() <= kFewElements) {
      array = real[i];
    } else if (array.type == tasks::NumberType::kFloat32) {
      make_distinct(array.bytes, kThousandth, floats);
    } else if (array.type == tasks::NumberType::kFloat64) {
      make_distinct(array.bytes, kThousandthOfDouble, doubles);
    }
  }
  return other;
}

bool adapt_to_proof(const ProofInputs& inputs, std::vector<tasks::Array>& real) {
  if (!same_sizes(inputs.shown, real)) return false;
  if (!has_large_input(real)) return true;
  for (size_t i = 0; i < real.size(); ++i)
    if (real[i].count() <= kFewElements) real[i] = inputs.shown[i];
  return true;
}

bool only_rearranges(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs) {
  std::vector<tasks::Array> narrow;
  for (const tasks::Array& wide : outputs) {  // oracles may give wider types
    const tasks::NumberType type = tasks::is_floating(wide.type) ? tasks::NumberType::kFloat32 : wide.type;
    narrow.push_back(type == wide.type ? wide
                                       : tasks::Array::from_doubles(type, wide.shape, wide.to_doubles()));
  }
  return all_occur(words_of(narrow, kTellingWords), inputs) && all_occur(words_of(narrow, SIZE_MAX), inputs);
}

}  // namespace cuset::judge
