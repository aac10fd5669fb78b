// The tokens of a model: names and ids, both ways.
//
// Names lie one after the other in a single string, and an open-addressing table of ids finds them, so that a
// vocabulary of 150,000 is built in milliseconds. Ids are 0 to size() - 1 without holes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::text {

inline constexpr uint32_t kNoToken = UINT32_MAX;

// A hash of a few bytes, spread over all 64 bits.
uint64_t hash_bytes(std::string_view bytes);

// The names of a vocabulary as they stand in a file, before anything is checked.
struct VocabularyEntries {
  struct Entry {
    size_t begin, end;  // in `names`
    uint32_t id;
  };
  std::string names;
  std::vector<Entry> entries;

  void add(std::string_view name, uint32_t id);
  std::string_view name(const Entry& entry) const {
    return std::string_view(names).substr(entry.begin, entry.end - entry.begin);
  }
};

class Vocabulary {
 public:
  Vocabulary() = default;

  // Throws Error, opening with `where`, for a name or an id that appears twice and for ids that leave a hole.
  Vocabulary(VocabularyEntries entries, std::string_view where);

  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  // The id of `name`, or kNoToken.
  uint32_t find(std::string_view name) const;
  // The name of an id below size(); valid while the vocabulary lives.
  std::string_view name(uint32_t id) const {
    return std::string_view(bytes_).substr(names_[id].begin, names_[id].end - names_[id].begin);
  }

 private:
  struct Name {
    size_t begin = 0;
    size_t end = SIZE_MAX;  // until the id is seen
  };
  void insert(uint32_t id, std::string_view where);

  std::string bytes_;
  std::vector<Name> names_;      // by id
  std::vector<uint32_t> table_;  // ids, at the places their hashes lead to; a power of two
};

}  // namespace cuset::text
