// Learns a byte-level BPE vocabulary from texts.
//
// Texts are split into words as the resulting tokenizer will split them; each word is counted once with its
// frequency. Then the most frequent pair of neighboring tokens becomes a new token, again and again. Counts
// are kept up to date by visiting only the words that hold the merged pair, and a heap whose entries are
// checked when they come to the top gives the next pair. Of pairs that are equally frequent the one with the
// smaller ids is taken, so the same texts always give the same file, and the same one as Hugging Face's
// BpeTrainer gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json/json.h"

namespace cuset::text {

struct PreTokenizers;

struct BpeTrainerOptions {
  uint32_t vocab_size = 4096;                    // special tokens and the 256 bytes included
  uint32_t min_frequency = 2;                    // of a pair that becomes a token
  std::vector<std::string> special_tokens = {};  // get the ids 0, 1, ...
  // Splits text into words; the default is that of Qwen's and Llama-3's families with single digits.
  std::string split_pattern =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
      "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
};

class BpeTrainer {
 public:
  // Throws Error for a pattern that is refused, a vocab_size below the tokens that must be there, and special
  // tokens that are empty or appear twice.
  explicit BpeTrainer(BpeTrainerOptions options);
  ~BpeTrainer();

  // Counts the words of one text. Throws Error for text that is not valid UTF-8.
  void add(std::string_view text);

  // The tokenizer.json. Fewer tokens than asked for if no pair is frequent enough any more.
  base::Json train() const;

 private:
  BpeTrainerOptions options_;
  base::Json pre_tokenizer_;
  std::unique_ptr<PreTokenizers> stages_;
  std::unordered_map<std::string, uint64_t> words_;
};

}  // namespace cuset::text
