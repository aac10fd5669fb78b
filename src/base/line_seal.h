// Seals the lines of a record that its own writer's process could change, truncate or hold back: each line begins with its number
// and a tag that only who has the key can make. A line that is missing, rewritten or not the writer's own shows when the
// next one comes. As input_cipher.h, no protection from cryptanalysis, and without a source file.
//
//   0000002a9f3c61d2b85e7a10 K 12 15 0 4,1,1 ...
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "base/input_cipher.h"
#include "base/unordered_digest.h"

namespace cuset::base {

inline std::string seal_of(std::string_view line, uint32_t number, const InputKey& key) {
  uint64_t tag = mixed_bits(key[0] + number);
  for (size_t at = 0; at < line.size(); at += sizeof tag) {
    uint64_t word = 0;
    std::memcpy(&word, line.data() + at, line.size() - at < sizeof word ? line.size() - at : sizeof word);
    tag = mixed_bits(tag ^ word);
  }
  tag = mixed_bits(mixed_bits(tag ^ line.size() ^ key[1]) + key[2]);
  char text[26];
  std::snprintf(text, sizeof text, "%08x%016llx ", number, static_cast<unsigned long long>(tag));
  return text;
}

// Takes the seal of line `number` off; false where it is not that line's.
inline bool take_seal(std::string_view& line, uint32_t number, const InputKey& key) {
  constexpr size_t kSeal = 25;
  if (line.size() < kSeal) return false;
  const std::string_view rest = line.substr(kSeal);
  if (line.substr(0, kSeal) != seal_of(rest, number, key)) return false;
  line = rest;
  return true;
}

}  // namespace cuset::base
