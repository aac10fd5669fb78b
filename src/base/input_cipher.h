// Hides files from whoever can read them but has no key: the host code of an answer must not know a model's inputs unless it asks
// the device for them. A counter, mixed with three secret words, gives the words that the file's are combined with by exclusive
// or. That is no protection from cryptanalysis, but from programs that read what lies open.
// By itself and without a source file, since programs outside the project's own build are linked with what uses it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

#include "base/unordered_digest.h"

namespace cuset::base {

using InputKey = std::array<uint64_t, 3>;

inline InputKey random_input_key() {
  std::random_device random;
  InputKey key;
  for (uint64_t& word : key) word = uint64_t{random()} << 32 | random();
  return key;
}

// Of a file: its name and that of its folder, so that no two files get the same words.
inline uint64_t number_of_input(std::string_view path) {
  const size_t name = path.rfind('/');
  const size_t folder = name == path.npos || name == 0 ? path.npos : path.rfind('/', name - 1);
  if (folder != path.npos) path.remove_prefix(folder + 1);
  uint64_t number = 0;
  for (const char letter : path) number = mixed_bits(number ^ static_cast<unsigned char>(letter));
  return number;
}

// What a process must be told to read the file, which only `secret` gives: the key alone shows no file before its time.
inline uint64_t word_of_input(const InputKey& secret, uint64_t trial) {
  return mixed_bits(mixed_bits(trial ^ secret[0]) + secret[1]) >> 1;  // fits into a signed number
}

// Of a file that is told with that word.
inline uint64_t number_of_input(std::string_view path, uint64_t word) {
  return mixed_bits(number_of_input(path) ^ word);
}

// Hides, and shows again.
inline void combine_with_key(void* bytes, uint64_t count, const InputKey& key, uint64_t file) {
  char* at = static_cast<char*>(bytes);
  const uint64_t start = mixed_bits(file ^ key[0]);
  for (uint64_t i = 0; i * sizeof(uint64_t) < count; ++i, at += sizeof(uint64_t)) {
    const uint64_t left = count - i * sizeof(uint64_t),
                   size = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
    uint64_t word = 0;
    std::memcpy(&word, at, size);
    word ^= mixed_bits(mixed_bits(mixed_bits(start + i) ^ key[1]) + key[2]);
    std::memcpy(at, &word, size);
  }
}

}  // namespace cuset::base
