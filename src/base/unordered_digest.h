// A digest of numbers that does not depend on their order: a copy of a result has it, and so has a transposed one.
// By itself and without a source file, since programs outside the project's own build are linked with what uses it.
#pragma once

#include <cstdint>
#include <cstring>

namespace cuset::base {

// The finalizer of splitmix64: a bijection in which every bit of the word reaches every bit of the result.
inline uint64_t mixed_bits(uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

template <typename Word>
uint64_t sum_of_mixed_bits(const void* elements, uint64_t count) {
  uint64_t sum = 0;
  const char* at = static_cast<const char*>(elements);
  for (uint64_t i = 0; i < count; ++i, at += sizeof(Word)) {
    Word word = 0;
    std::memcpy(&word, at, sizeof word);
    sum += mixed_bits(word);
  }
  return sum;
}

// Of `count` elements with `element_bytes` each, which are 1, 2, 4 or 8: their mixed bits added up modulo 2^64.
inline uint64_t unordered_digest(const void* elements, uint64_t count, uint32_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return count + sum_of_mixed_bits<uint8_t>(elements, count);
    case 2:
      return count + sum_of_mixed_bits<uint16_t>(elements, count);
    case 4:
      return count + sum_of_mixed_bits<uint32_t>(elements, count);
    default:
      return count + sum_of_mixed_bits<uint64_t>(elements, count);
  }
}

// As unordered_digest, but of the elements at their places.
inline uint64_t placed_digest(const void* elements, uint64_t count, uint32_t element_bytes) {
  uint64_t sum = count;
  const char* at = static_cast<const char*>(elements);
  for (uint64_t i = 0; i < count; ++i, at += element_bytes) {
    uint64_t word = 0;
    std::memcpy(&word, at, element_bytes < sizeof word ? element_bytes : sizeof word);
    sum += mixed_bits(word ^ (i + 1) * 0x9e3779b97f4a7c15);
  }
  return sum;
}

}  // namespace cuset::base
