#include "text/tokenizer/bpe_model.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

// Up to here looking at all pairs beats a heap.
constexpr size_t kFewSymbols = 48;

// Order of a heap whose top is the lowest rank, the leftmost of equals.
bool comes_later(const BpeScratch::Candidate& a, const BpeScratch::Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.position > b.position;
}

}  // namespace

BpeModel::BpeModel(Vocabulary vocabulary, const std::vector<NamedMerge>& merges, Options options)
    : vocabulary_(std::move(vocabulary)), merges_(merges.size()), options_(options) {
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    merges_.set(merges[rank].left, merges[rank].right, {static_cast<uint32_t>(rank), merges[rank].token});
  }
  for (int byte = 0; byte < 256; ++byte) {
    std::string name = fmt::format("<0x{:02X}>", byte);
    if (options.byte_level) {
      name.clear();
      append_utf8(name, alphabet_char(static_cast<uint8_t>(byte)));
    }
    byte_tokens_[byte] = vocabulary_.find(name);
  }
}

void BpeModel::set_control_tokens(std::vector<bool> is_control, const std::vector<NamedMerge>& merges) {
  is_control_ = std::move(is_control);
  control_parts_.clear();
  for (const NamedMerge& merge : merges) {
    if (is_control_[merge.token]) control_parts_.push_back({merge.token, merge.left, merge.right});
  }
  std::stable_sort(control_parts_.begin(), control_parts_.end(),
                   [](const Parts& a, const Parts& b) { return a.token < b.token; });
}

std::span<const WordToken> BpeModel::encode(std::string_view word, bool forbid_control,
                                            BpeScratch& scratch) const {
  forbid_control = forbid_control && !is_control_.empty();
  if (word.size() > WordCache::kLongestWord) {
    encode_new(word, forbid_control, scratch);
    return scratch.tokens;
  }
  WordCache& cache = scratch.caches[forbid_control ? 1 : 0];
  const uint64_t hash = hash_bytes(word);
  if (const auto* known = cache.find(word, hash)) return *known;
  encode_new(word, forbid_control, scratch);
  cache.insert(word, hash, scratch.tokens);
  return scratch.tokens;
}

// Into scratch.tokens.
void BpeModel::encode_new(std::string_view word, bool forbid_control, BpeScratch& scratch) const {
  scratch.tokens.clear();
  if (options_.ignore_merges) {
    const uint32_t token = whole_word(word);
    if (token != kNoToken && !(forbid_control && is_control_[token])) {
      scratch.tokens.push_back({token, 0, static_cast<uint32_t>(word.size())});
      return;
    }
  }
  if (options_.byte_level) {
    start_from_bytes(word, scratch.tokens);
  } else {
    start_from_chars(word, scratch.tokens);
  }
  if (scratch.tokens.size() <= kFewSymbols) {
    merge_few(scratch);
  } else {
    merge_many(scratch);
  }
  if (forbid_control) split_control(scratch.tokens);
}

uint32_t BpeModel::whole_word(std::string_view word) const {
  return options_.byte_level ? vocabulary_.find(to_byte_alphabet(word)) : vocabulary_.find(word);
}

void BpeModel::start_from_bytes(std::string_view word, std::vector<WordToken>& tokens) const {
  uint32_t position = 0;
  bool open_unk = false;  // the last token is an unknown one that may grow
  for (const char byte : word) {
    uint32_t token = byte_tokens_[static_cast<unsigned char>(byte)];
    const bool unknown = token == kNoToken;
    if (unknown) token = options_.unk;
    if (unknown && open_unk && options_.fuse_unk) {
      tokens.back().end = position + 1;
    } else if (token != kNoToken) {
      tokens.push_back({token, position, position + 1});
    }
    open_unk = unknown && token != kNoToken;
    ++position;
  }
}

// The reference holds an unknown token back until a known character or the end, and byte tokens pass it by;
// so here.
void BpeModel::start_from_chars(std::string_view word, std::vector<WordToken>& tokens) const {
  std::optional<WordToken> held;
  const auto release = [&] {
    if (held) tokens.push_back(*held);
    held.reset();
  };
  for (size_t i = 0; i < word.size();) {
    const size_t end = i + decode_utf8(word, i).size;
    const uint32_t token = vocabulary_.find(word.substr(i, end - i));
    const WordToken here{token, static_cast<uint32_t>(i), static_cast<uint32_t>(end)};
    i = end;
    if (token != kNoToken) {
      release();
      tokens.push_back(here);
    } else if (options_.byte_fallback && fall_back_to_bytes(word, here, tokens)) {
      continue;
    } else if (options_.unk != kNoToken) {
      if (held && options_.fuse_unk) {
        held->end = here.end;
      } else {
        release();
        held = {options_.unk, here.begin, here.end};
      }
    }
  }
  release();
}

bool BpeModel::fall_back_to_bytes(std::string_view word, const WordToken& unknown,
                                  std::vector<WordToken>& tokens) const {
  const auto token_of = [&](uint32_t i) { return byte_tokens_[static_cast<unsigned char>(word[i])]; };
  for (uint32_t i = unknown.begin; i < unknown.end; ++i) {
    if (token_of(i) == kNoToken) return false;
  }
  for (uint32_t i = unknown.begin; i < unknown.end; ++i) tokens.push_back({token_of(i), i, i + 1});
  return true;
}

void BpeModel::merge_few(BpeScratch& scratch) const {
  std::vector<WordToken>& tokens = scratch.tokens;
  std::vector<const Merge*>& merges = scratch.merges;  // merges[i]: of tokens i and i + 1
  if (tokens.size() < 2) return;
  merges.resize(tokens.size() - 1);
  for (size_t i = 0; i < merges.size(); ++i) merges[i] = merges_.find(tokens[i].id, tokens[i + 1].id);
  while (true) {
    size_t best = merges.size();
    uint32_t lowest = UINT32_MAX;
    for (size_t i = 0; i < merges.size(); ++i) {
      if (merges[i] != nullptr && merges[i]->rank < lowest) {
        lowest = merges[i]->rank;
        best = i;
      }
    }
    if (best == merges.size()) return;
    tokens[best] = {merges[best]->token, tokens[best].begin, tokens[best + 1].end};
    tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(best) + 1);
    merges.erase(merges.begin() + static_cast<ptrdiff_t>(best));
    if (best > 0) merges[best - 1] = merges_.find(tokens[best - 1].id, tokens[best].id);
    if (best < merges.size()) merges[best] = merges_.find(tokens[best].id, tokens[best + 1].id);
  }
}

// The same with a linked list and a heap. An entry of the heap is stale if its pair has changed since.
void BpeModel::merge_many(BpeScratch& scratch) const {
  auto& symbols = scratch.symbols;
  symbols.clear();
  const auto count = static_cast<int32_t>(scratch.tokens.size());
  for (int32_t i = 0; i < count; ++i)
    symbols.push_back({scratch.tokens[i], i - 1, i + 1 < count ? i + 1 : -1});
  scratch.heap.clear();
  for (int32_t i = 0; i < count; ++i) push_candidate(scratch, i);
  while (!scratch.heap.empty()) {
    std::pop_heap(scratch.heap.begin(), scratch.heap.end(), comes_later);
    const BpeScratch::Candidate candidate = scratch.heap.back();
    scratch.heap.pop_back();
    join_with_next(scratch, candidate);
  }
  scratch.tokens.clear();
  for (int32_t i = 0; i >= 0; i = symbols[i].next) scratch.tokens.push_back(symbols[i].token);
}

void BpeModel::push_candidate(BpeScratch& scratch, int32_t position) const {
  if (position < 0 || scratch.symbols[position].next < 0) return;
  const BpeScratch::Symbol& left = scratch.symbols[position];
  const Merge* merge = merges_.find(left.token.id, scratch.symbols[left.next].token.id);
  if (merge == nullptr) return;
  scratch.heap.push_back({merge->rank, static_cast<uint32_t>(position), merge->token});
  std::push_heap(scratch.heap.begin(), scratch.heap.end(), comes_later);
}

void BpeModel::join_with_next(BpeScratch& scratch, const BpeScratch::Candidate& candidate) const {
  auto& symbols = scratch.symbols;
  const auto position = static_cast<int32_t>(candidate.position);
  BpeScratch::Symbol& left = symbols[position];
  if (left.token.id == kNoToken || left.next < 0) return;
  BpeScratch::Symbol& right = symbols[left.next];
  const Merge* merge = merges_.find(left.token.id, right.token.id);
  if (merge == nullptr || merge->token != candidate.token) return;
  left.token = {merge->token, left.token.begin, right.token.end};
  right.token.id = kNoToken;
  left.next = right.next;
  if (left.next >= 0) symbols[left.next].previous = position;
  push_candidate(scratch, left.previous);
  push_candidate(scratch, position);
}

size_t BpeModel::text_size(uint32_t token) const {
  const std::string_view name = vocabulary_.name(token);
  if (!options_.byte_level) return name.size();
  const auto bytes = from_byte_alphabet(name);
  return bytes ? bytes->size() : name.size();
}

// Undoes merges that gave control tokens, the last ones first.
void BpeModel::split_control(std::vector<WordToken>& tokens) const {
  for (size_t i = 0; i < tokens.size();) {
    const WordToken whole = tokens[i];
    const auto parts = std::lower_bound(control_parts_.begin(), control_parts_.end(), whole.id,
                                        [](const Parts& a, uint32_t token) { return a.token < token; });
    if (parts == control_parts_.end() || parts->token != whole.id) {
      ++i;
      continue;
    }
    const auto left_size = static_cast<uint32_t>(text_size(parts->left));
    const uint32_t middle = std::min(whole.begin + left_size, whole.end);
    tokens[i] = {parts->left, whole.begin, middle};
    tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(i) + 1, {parts->right, middle, whole.end});
  }
}

}  // namespace cuset::text
