#include "text/tokenizer/vocabulary.h"

#include <bit>
#include <cstring>

#include "base/error.h"

namespace cuset::text {

uint64_t hash_bytes(std::string_view bytes) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
  const auto mix = [](uint64_t h) {
    h *= kFactor;
    return h ^ h >> 32;
  };
  uint64_t hash = mix(bytes.size() + 1);
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mix(hash ^ word);
  }
  uint64_t word = 0;
  for (size_t i = 0; i < left; ++i) word |= uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  return mix(mix(hash ^ word));
}

void VocabularyEntries::add(std::string_view name, uint32_t id) {
  entries.push_back({names.size(), names.size() + name.size(), id});
  names += name;
}

Vocabulary::Vocabulary(VocabularyEntries entries, std::string_view where)
    : bytes_(std::move(entries.names)),
      names_(entries.entries.size()),
      table_(std::bit_ceil(entries.entries.size() * 2 + 1), kNoToken) {
  for (const auto& [begin, end, id] : entries.entries) {
    const std::string_view name = std::string_view(bytes_).substr(begin, end - begin);
    // n different ids below n leave no hole.
    if (id >= names_.size()) {
      throw base::Error("{}: the token {} has the id {}, but {} tokens need the ids 0 to {} without holes",
                        where, base::in_quotes(name), id, names_.size(), names_.size() - 1)
          .with_remedy("the file is damaged; fetch it again");
    }
    if (names_[id].end != SIZE_MAX) {
      throw base::Error("{}: the tokens {} and {} have the same id {}", where,
                        base::in_quotes(this->name(id)), base::in_quotes(name), id)
          .with_remedy("the file is damaged; fetch it again");
    }
    names_[id] = {begin, end};
    insert(id, where);
  }
}

void Vocabulary::insert(uint32_t id, std::string_view where) {
  const size_t mask = table_.size() - 1;
  const std::string_view fresh = name(id);
  for (size_t i = hash_bytes(fresh) & mask;; i = (i + 1) & mask) {
    if (table_[i] == kNoToken) {
      table_[i] = id;
      return;
    }
    if (name(table_[i]) == fresh) {
      throw base::Error("{}: the token {} appears twice, as {} and as {}", where, base::in_quotes(fresh),
                        table_[i], id)
          .with_remedy("the file is damaged; fetch it again");
    }
  }
}

uint32_t Vocabulary::find(std::string_view name) const {
  if (table_.empty()) return kNoToken;
  const size_t mask = table_.size() - 1;
  for (size_t i = hash_bytes(name) & mask; table_[i] != kNoToken; i = (i + 1) & mask) {
    if (this->name(table_[i]) == name) return table_[i];
  }
  return kNoToken;
}

}  // namespace cuset::text
