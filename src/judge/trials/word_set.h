// A set of 32-bit words in which the next absent one is found at once, however dense it is: one bit per word, and for
// each 64 bits one above them that says whether all are set. Only the pages that are used take memory, and numbers of
// one domain lie close together.
#pragma once

#include <array>
#include <cstdint>

namespace cuset::judge {

class WordSet {
 public:
  WordSet();
  ~WordSet();
  WordSet(const WordSet&) = delete;
  WordSet& operator=(const WordSet&) = delete;

  bool contains(uint32_t word) const;
  void insert(uint32_t word);
  // The least absent word that is not below `word`; 2^32 where there is none.
  uint64_t next_absent(uint32_t word) const;

 private:
  static constexpr int kLevels = 5;  // of 2^32 bits, and each time 64 times fewer

  uint64_t* memory_;
  std::array<uint64_t*, kLevels> levels_;
};

}  // namespace cuset::judge
