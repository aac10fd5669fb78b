#include "text/tokenizer/bpe_trainer.h"

#include <algorithm>
#include <queue>
#include <set>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

using Pair = std::pair<uint32_t, uint32_t>;

struct PairHash {
  size_t operator()(const Pair& pair) const {
    return (uint64_t{pair.first} << 32 | pair.second) * 0x9E3779B97F4A7C15u >> 16;
  }
};

// A word as the tokens it consists of so far.
struct Word {
  std::vector<uint32_t> tokens;
  int64_t count;
};

struct Candidate {
  int64_t count;
  Pair pair;

  // The top of the heap is the most frequent, of equals the smallest ids.
  bool operator<(const Candidate& other) const {
    return count != other.count ? count < other.count : pair > other.pair;
  }
};

// The words and the count of every pair in them.
class PairCounts {
 public:
  explicit PairCounts(std::vector<Word> words) : words_(std::move(words)) {
    for (uint32_t i = 0; i < words_.size(); ++i) {
      const auto& tokens = words_[i].tokens;
      for (size_t k = 0; k + 1 < tokens.size(); ++k) change({tokens[k], tokens[k + 1]}, words_[i].count, i);
    }
  }

  // The next pair to merge, if one is at least `least` times there.
  bool most_frequent(int64_t least, Pair& pair) {
    flush_changes();
    while (!heap_.empty()) {
      const Candidate top = heap_.top();
      heap_.pop();
      const auto entry = pairs_.find(top.pair);
      const int64_t count = entry == pairs_.end() ? 0 : entry->second.count;
      if (count != top.count) continue;  // outdated; its change has put a newer one
      if (count < least) return false;
      pair = top.pair;
      return true;
    }
    return false;
  }

  // Replaces the pair by `token` in all words.
  void merge(Pair pair, uint32_t token) {
    std::vector<uint32_t> holders = std::move(pairs_[pair].words);
    pairs_.erase(pair);
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    for (const uint32_t word : holders) merge_in_word(word, pair, token);
    pairs_.erase(pair);
  }

 private:
  struct Entry {
    int64_t count = 0;
    std::vector<uint32_t> words;  // that may hold the pair; some twice, some no longer
    bool changed = false;
  };

  void change(Pair pair, int64_t difference, uint32_t word) {
    Entry& entry = pairs_[pair];
    entry.count += difference;
    if (difference > 0 && (entry.words.empty() || entry.words.back() != word)) entry.words.push_back(word);
    if (!entry.changed) changed_.push_back(pair);
    entry.changed = true;
  }

  void flush_changes() {
    for (const Pair& pair : changed_) {
      const auto entry = pairs_.find(pair);
      if (entry == pairs_.end()) continue;
      entry->second.changed = false;
      if (entry->second.count > 0) {
        heap_.push({entry->second.count, pair});
      } else {
        pairs_.erase(entry);
      }
    }
    changed_.clear();
  }

  void merge_in_word(uint32_t index, Pair pair, uint32_t token) {
    Word& word = words_[index];
    std::vector<uint32_t>& tokens = word.tokens;
    size_t out = 0;
    for (size_t i = 0; i < tokens.size(); ++out) {
      if (i + 1 == tokens.size() || Pair{tokens[i], tokens[i + 1]} != pair) {
        tokens[out] = tokens[i++];
        continue;
      }
      if (out > 0) {
        change({tokens[out - 1], pair.first}, -word.count, index);
        change({tokens[out - 1], token}, word.count, index);
      }
      i += 2;
      if (i < tokens.size()) {
        change({pair.second, tokens[i]}, -word.count, index);
        change({token, tokens[i]}, word.count, index);
      }
      tokens[out] = token;
    }
    tokens.resize(out);
  }

  std::vector<Word> words_;
  std::unordered_map<Pair, Entry, PairHash> pairs_;
  std::vector<Pair> changed_;
  std::priority_queue<Candidate> heap_;
};

// Words in a fixed order, as tokens of single bytes.
std::vector<Word> start_words(const std::unordered_map<std::string, uint64_t>& counts,
                              const std::vector<uint32_t>& byte_ids) {
  std::vector<std::pair<std::string_view, uint64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Word> words;
  for (const auto& [text, count] : sorted) {
    Word word{{}, static_cast<int64_t>(count)};
    for (const char byte : text) word.tokens.push_back(byte_ids[static_cast<unsigned char>(byte)]);
    words.push_back(std::move(word));
  }
  return words;
}

// Ids of the 256 bytes: after the special tokens, in the order of their alphabet characters.
std::vector<uint32_t> add_alphabet(std::vector<std::string>& names) {
  std::vector<std::pair<char32_t, int>> order;
  for (int byte = 0; byte < 256; ++byte) order.push_back({alphabet_char(static_cast<uint8_t>(byte)), byte});
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> ids(256);
  for (const auto& [code, byte] : order) {
    std::string name;
    append_utf8(name, code);
    const auto same = std::find(names.begin(), names.end(), name);  // a special token of one character
    ids[byte] = static_cast<uint32_t>(same - names.begin());
    if (same == names.end()) names.push_back(name);
  }
  return ids;
}

base::Json added_tokens(const std::vector<std::string>& special_tokens) {
  base::Json added = base::Json::array();
  for (size_t id = 0; id < special_tokens.size(); ++id) {
    added.push_back({{"id", id},
                     {"content", special_tokens[id]},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  }
  return added;
}

base::Json byte_level() {
  return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
}

base::Json tokenizer_document(const BpeTrainerOptions& options, const base::Json& pre_tokenizer,
                              const std::vector<std::string>& names, base::Json merges) {
  // Appended pair by pair: looking each name up in an ordered object would be quadratic.
  base::Json::object_t vocabulary;
  for (size_t id = 0; id < names.size(); ++id) {
    static_cast<std::vector<base::Json::object_t::value_type>&>(vocabulary).emplace_back(names[id], id);
  }
  base::Json model = {{"type", "BPE"},
                      {"dropout", nullptr},
                      {"unk_token", nullptr},
                      {"continuing_subword_prefix", nullptr},
                      {"end_of_word_suffix", nullptr},
                      {"fuse_unk", false},
                      {"byte_fallback", false},
                      {"ignore_merges", false}};
  model["vocab"] = std::move(vocabulary);
  model["merges"] = std::move(merges);
  return {{"version", "1.0"},          {"truncation", nullptr},
          {"padding", nullptr},        {"added_tokens", added_tokens(options.special_tokens)},
          {"normalizer", nullptr},     {"pre_tokenizer", pre_tokenizer},
          {"post_processor", nullptr}, {"decoder", byte_level()},
          {"model", std::move(model)}};
}

void check_options(const BpeTrainerOptions& options) {
  std::set<std::string> seen;
  for (const std::string& token : options.special_tokens) {
    if (token.empty() || find_invalid_utf8(token) != std::string::npos) {
      throw base::Error("a special token must be valid UTF-8 and not empty: {}", base::in_quotes(token));
    }
    if (!seen.insert(token).second)
      throw base::Error("the special token {} appears twice", base::in_quotes(token));
  }
  const size_t least = options.special_tokens.size() + 256;
  if (options.vocab_size < least) {
    throw base::Error("a vocabulary of {} tokens is too small: {} special tokens and 256 bytes need {}",
                      options.vocab_size, options.special_tokens.size(), least);
  }
}

}  // namespace

BpeTrainer::BpeTrainer(BpeTrainerOptions options) : options_(std::move(options)) {
  check_options(options_);
  const base::Json split = {{"type", "Split"},
                            {"pattern", {{"Regex", options_.split_pattern}}},
                            {"behavior", "Isolated"},
                            {"invert", false}};
  pre_tokenizer_ = {{"type", "Sequence"}, {"pretokenizers", {split, byte_level()}}};
  stages_ =
      std::make_unique<PreTokenizers>(read_pre_tokenizers(base::JsonCursor(pre_tokenizer_, "split pattern")));
}

BpeTrainer::~BpeTrainer() = default;

void BpeTrainer::add(std::string_view text) {
  if (const size_t bad = find_invalid_utf8(text); bad != std::string_view::npos) {
    throw base::Error("the text is not valid UTF-8 at byte {}", bad).with_remedy("convert it to UTF-8 first");
  }
  if (text.empty()) return;
  if (text.size() >= UINT32_MAX)
    throw base::Error("a text of {} bytes is too long; cut it into parts", text.size());
  const AlignedText whole(text, 0);
  PieceList list;
  list.pieces.push_back({&whole, 0, static_cast<uint32_t>(text.size())});
  stages_->split(list);
  for (const Piece& piece : list.pieces) ++words_[std::string(piece.view())];
}

base::Json BpeTrainer::train() const {
  std::vector<std::string> names = options_.special_tokens;
  const std::vector<uint32_t> byte_ids = add_alphabet(names);
  std::unordered_map<std::string, uint32_t> ids;
  for (uint32_t id = 0; id < names.size(); ++id) ids.emplace(names[id], id);

  PairCounts pairs(start_words(words_, byte_ids));
  base::Json merges = base::Json::array();
  Pair best;
  while (names.size() < options_.vocab_size && pairs.most_frequent(options_.min_frequency, best)) {
    const std::string name = names[best.first] + names[best.second];
    merges.push_back({names[best.first], names[best.second]});
    // Two pairs can spell the same token; it keeps its first id.
    const auto [known, is_new] = ids.emplace(name, static_cast<uint32_t>(names.size()));
    if (is_new) names.push_back(name);
    pairs.merge(best, known->second);
  }
  return tokenizer_document(options_, pre_tokenizer_, names, std::move(merges));
}

}  // namespace cuset::text
