#include "runtime/device_process/input_masks.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include "device_account.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kWindow = 32;          // bytes that are looked up at once
constexpr uint64_t kFewestElements = 4;   // rearranged ones, in words of 4 bytes
constexpr double kShareOfElements = 0.9;  // of a stretch's words that must be known

uint64_t hash_of(const char* bytes, uint64_t count) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (uint64_t i = 0; i + 8 <= count; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

uint32_t word_at(const char* bytes) {
  uint32_t word;
  std::memcpy(&word, bytes, 4);
  return word;
}

// Zeros, poison and other fillings say nothing about where they come from.
bool is_filling(const char* bytes, uint64_t count) {
  if (count < 8) return true;
  for (uint64_t i = 4; i + 4 <= count; i += 4) {
    if (word_at(bytes + i) != word_at(bytes)) return false;
  }
  return true;
}

std::vector<char> read_all(const std::string& path, bool& exists) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  exists = file.good();
  std::vector<char> bytes(exists ? static_cast<size_t>(file.tellg()) : 0);
  file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

template <class To, class From>
std::vector<char> converted(const std::vector<char>& from, double divisor = 1) {
  const uint64_t count = from.size() / sizeof(From);
  std::vector<char> bytes(count * sizeof(To));
  for (uint64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from.data() + i * sizeof value, sizeof value);
    const To result =
        divisor == 1 ? static_cast<To>(value) : static_cast<To>(value) / static_cast<To>(divisor);
    std::memcpy(bytes.data() + i * sizeof result, &result, sizeof result);
  }
  return bytes;
}

// The upper half of a float, rounded to nearest even.
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, 4);
    bits = static_cast<uint16_t>((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  BFloat16 operator/(BFloat16) const { return *this; }
};

using Conversion = std::vector<char> (*)(const std::vector<char>&);

// What hosts turn inputs into before they hand them on.
std::vector<Conversion> conversions_of(const std::string& type) {
  if (type == "float32")
    return {[](const auto& from) { return converted<_Float16, float>(from); },
            [](const auto& from) { return converted<BFloat16, float>(from); },
            [](const auto& from) { return converted<double, float>(from); },
            [](const auto& from) { return converted<int32_t, float>(from); },
            [](const auto& from) { return converted<int16_t, float>(from); },
            [](const auto& from) { return converted<int8_t, float>(from); }};
  if (type == "int32" || type == "uint32")
    return {[](const auto& from) { return converted<float, int32_t>(from); },
            [](const auto& from) { return converted<int64_t, int32_t>(from); },
            [](const auto& from) { return converted<double, int32_t>(from); },
            [](const auto& from) { return converted<int16_t, int32_t>(from); },
            [](const auto& from) { return converted<int8_t, int32_t>(from); }};
  if (type == "float64") return {[](const auto& from) { return converted<float, double>(from); }};
  if (type == "int64") return {[](const auto& from) { return converted<int32_t, int64_t>(from); }};
  if (type == "uint8")
    return {[](const auto& from) { return converted<float, uint8_t>(from); },
            [](const auto& from) { return converted<int32_t, uint8_t>(from); },
            [](const auto& from) { return converted<float, uint8_t>(from, 255); }};
  return {};
}

}  // namespace

InputMasks::InputMasks(std::vector<InputMask> masks, Recognized recognized)
    : recognized_(recognized), masks_(std::move(masks)) {
  for (InputMask& mask : masks_) mask.real.resize(mask.shown.size());
}

InputMasks InputMasks::read(const std::string& folder) {
  std::vector<InputMask> masks;
  bool exists = false;
  read_all(folder + "/" CUSET_UNBROKEN_FILE, exists);
  const Recognized recognized = exists ? Recognized::kUnbroken : Recognized::kElements;
  while (true) {
    const std::string name = folder + "/" + std::to_string(masks.size());
    InputMask mask;
    mask.shown = read_all(name + ".shown", exists);
    if (!exists) return InputMasks(std::move(masks), recognized);
    mask.real = read_all(name + ".real", exists);
    const std::vector<char> type = read_all(name + ".type", exists);
    mask.type.assign(type.begin(), type.end());
    masks.push_back(std::move(mask));
  }
}

uint64_t InputMasks::replace(std::span<char> bytes) {
  if (masks_.empty() || bytes.size() < 4) return 0;
  // What nearly all hosts hand on: one whole input, or memory that they filled.
  for (const InputMask& mask : masks_) {
    if (mask.shown.size() != bytes.size() || std::memcmp(mask.shown.data(), bytes.data(), bytes.size()) != 0)
      continue;
    std::memcpy(bytes.data(), mask.real.data(), bytes.size());
    return bytes.size();
  }
  if (is_filling(bytes.data(), bytes.size())) return 0;
  std::vector<Stretch> open{{0, bytes.size()}};
  uint64_t replaced = 0;
  for (const InputMask& mask : masks_) replaced += replace_whole(mask, bytes, open);
  if (recognized_ == Recognized::kUnbroken) return replaced > 0 ? replaced : replace_one_part(bytes);
  std::erase_if(open, [&](const Stretch& stretch) {
    return is_filling(bytes.data() + stretch.begin, stretch.end - stretch.begin);
  });
  if (open.empty()) return replaced;
  replaced += replace_parts(bytes, open);
  replaced += replace_converted(bytes, open);
  return replaced + replace_elements(bytes, open);
}

// An input as it is, anywhere in the bytes; what is left open shrinks.
uint64_t InputMasks::replace_whole(const InputMask& mask, std::span<char> bytes, std::vector<Stretch>& open) {
  const uint64_t size = mask.shown.size();
  const bool says_little = is_filling(mask.shown.data(), size);
  if (size == 0 || (says_little && (size != bytes.size() || size < 4))) return 0;
  uint64_t replaced = 0;
  std::vector<Stretch> left;
  for (Stretch stretch : open) {
    while (stretch.end - stretch.begin >= size) {
      const char* begin = bytes.data() + stretch.begin;
      const auto* found =
          static_cast<char*>(memmem(begin, stretch.end - stretch.begin, mask.shown.data(), size));
      if (found == nullptr) break;
      const auto at = static_cast<uint64_t>(found - bytes.data());
      std::memcpy(bytes.data() + at, mask.real.data(), size);
      replaced += size;
      if (at > stretch.begin) left.push_back({stretch.begin, at});
      stretch.begin = at + size;
    }
    if (stretch.end > stretch.begin) left.push_back(stretch);
  }
  open = std::move(left);
  return replaced;
}

void InputMasks::index_windows() {
  has_windows_ = true;
  for (uint32_t i = 0; i < masks_.size(); ++i) {
    const std::vector<char>& shown = masks_[i].shown;
    for (uint64_t at = 0; at + kWindow <= shown.size(); at += kWindow) {
      if (!is_filling(shown.data() + at, kWindow))
        windows_.try_emplace(hash_of(shown.data() + at, kWindow), Origin{i, at});
    }
  }
}

std::optional<InputMasks::Origin> InputMasks::origin_of_window(const char* window) const {
  const auto found = windows_.find(hash_of(window, kWindow));
  if (found == windows_.end()) return std::nullopt;
  const Origin origin = found->second;
  const char* shown = masks_[origin.mask].shown.data() + origin.offset;
  return std::memcmp(shown, window, kWindow) == 0 ? std::optional(origin) : std::nullopt;
}

// All of the bytes as one part of an input.
uint64_t InputMasks::replace_one_part(std::span<char> bytes) {
  if (bytes.size() < kWindow || is_filling(bytes.data(), bytes.size())) return 0;
  for (const InputMask& mask : masks_) {
    const auto* found =
        static_cast<const char*>(memmem(mask.shown.data(), mask.shown.size(), bytes.data(), bytes.size()));
    if (found == nullptr) continue;
    std::memcpy(bytes.data(), mask.real.data() + (found - mask.shown.data()), bytes.size());
    return bytes.size();
  }
  return 0;
}

// Runs of an input: pieces handed on one after the other, rows with padding between them.
uint64_t InputMasks::replace_parts(std::span<char> bytes, std::vector<Stretch>& open) {
  if (!has_windows_) index_windows();
  uint64_t replaced = 0;
  std::vector<Stretch> left;
  for (Stretch stretch : open) {
    for (uint64_t at = stretch.begin; at + kWindow <= stretch.end;) {
      const std::optional<Origin> origin = origin_of_window(bytes.data() + at);
      if (!origin) {
        at += 4;
        continue;
      }
      const InputMask& mask = masks_[origin->mask];
      uint64_t begin = at, from = origin->offset;
      while (begin > stretch.begin && from > 0 && bytes[begin - 1] == mask.shown[from - 1]) --begin, --from;
      uint64_t end = at, to = origin->offset;
      while (end < stretch.end && to < mask.shown.size() && bytes[end] == mask.shown[to]) ++end, ++to;
      std::memcpy(bytes.data() + begin, mask.real.data() + from, end - begin);
      replaced += end - begin;
      if (begin > stretch.begin) left.push_back({stretch.begin, begin});
      stretch.begin = at = end;
    }
    if (stretch.end > stretch.begin) left.push_back(stretch);
  }
  open = std::move(left);
  return replaced;
}

void InputMasks::index_words() {
  has_words_ = true;
  std::unordered_set<uint32_t> repeated;
  for (uint32_t i = 0; i < masks_.size(); ++i) {
    for (uint64_t at = 0; at + 4 <= masks_[i].shown.size(); at += 4) {
      const uint32_t word = word_at(masks_[i].shown.data() + at);
      if (!words_.try_emplace(word, Origin{i, at}).second) repeated.insert(word);
    }
  }
  for (const uint32_t word : repeated) words_.erase(word);
  words_.erase(0);
}

// Elements in another order: transposed, gathered, interleaved.
uint64_t InputMasks::replace_elements(std::span<char> bytes, const std::vector<Stretch>& open) {
  uint64_t replaced = 0;
  for (const Stretch& stretch : open) {
    const uint64_t begin = (stretch.begin + 3) / 4 * 4;
    if (begin + 4 * kFewestElements > stretch.end || is_filling(bytes.data() + begin, stretch.end - begin))
      continue;
    if (!has_words_) index_words();
    uint64_t known = 0, words = 0;
    for (uint64_t at = begin; at + 4 <= stretch.end; at += 4) {
      const uint32_t word = word_at(bytes.data() + at);
      words += word != 0;
      known += words_.count(word);
    }
    if (static_cast<double>(known) < kShareOfElements * static_cast<double>(words)) continue;
    for (uint64_t at = begin; at + 4 <= stretch.end; at += 4) {
      const auto origin = words_.find(word_at(bytes.data() + at));
      if (origin == words_.end()) continue;
      std::memcpy(bytes.data() + at, masks_[origin->second.mask].real.data() + origin->second.offset, 4);
      replaced += 4;
    }
  }
  return replaced;
}

void InputMasks::convert_inputs() {
  has_converted_ = true;
  for (const InputMask& mask : masks_) {
    for (const Conversion conversion : conversions_of(mask.type))
      converted_.push_back({conversion(mask.shown), conversion(mask.real), ""});
  }
}

uint64_t InputMasks::replace_converted(std::span<char> bytes, std::vector<Stretch>& open) {
  const bool all_filling = std::all_of(open.begin(), open.end(), [&](const Stretch& stretch) {
    return is_filling(bytes.data() + stretch.begin, stretch.end - stretch.begin);
  });
  if (all_filling) return 0;
  if (!has_converted_) convert_inputs();
  uint64_t replaced = 0;
  for (const InputMask& mask : converted_) replaced += replace_whole(mask, bytes, open);
  return replaced;
}

}  // namespace cuset_emulator
