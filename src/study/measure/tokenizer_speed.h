// Speed of the tokenizer, beside Hugging Face's Rust library on the same texts in the same run where Python
// has it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::study {

struct TokenizerBenchOptions {
  std::filesystem::path tokenizer;  // tokenizer.json
  std::vector<std::string> texts;
  std::vector<unsigned> threads = {1};
  std::string python = "python3";  // asked for the reference
  int repeats = 3;                 // the best counts
};

struct TokenizerSpeed {
  double load_seconds = 0;
  double encode_seconds = 0;
  uint64_t tokens = 0;
};

struct TokenizerComparison {
  unsigned threads = 1;
  TokenizerSpeed ours;
  std::optional<TokenizerSpeed> reference;  // absent where Python or its library is
};

// The two take turns, so that a busy machine slows both. Throws Error if they disagree on the number of
// tokens.
std::vector<TokenizerComparison> compare_tokenizers(const TokenizerBenchOptions& options);

std::string render_comparison(const std::vector<TokenizerComparison>& rows, uint64_t bytes);
base::Json to_json(const std::vector<TokenizerComparison>& rows, uint64_t bytes);

// Texts out of files: a JSONL record gives its "text", else its longest string; any other file is one text.
std::vector<std::string> read_texts(const std::vector<std::string>& files);

}  // namespace cuset::study
