// Tokenized training data on disk, so that later runs need not tokenize again (tokenized_path):
//
//   tokenized.json    {"tokenizer": CRC-32C of tokenizer.json, "rows", "truncated", "dropped"}
//   examples.jsonl    {"ids": [...], "learned": "0011...", "cuda": "0010...", "weight", "place"}, one per example
#pragma once

#include <filesystem>

#include "data/dataset.h"

namespace cuset::data {

// Whether `folder` holds tokenized data. Throws UsageError for a folder that holds something else.
bool has_tokenized_data(const std::filesystem::path& folder);

// `model` is the folder of the tokenizer. Throws Error on a full disk.
void write_tokenized(const std::filesystem::path& folder, const Dataset& dataset,
                     const std::filesystem::path& model);

// Throws Error where the data was made with another tokenizer, is damaged, or has an example of more than
// `max_tokens` tokens. Of what was dropped only the number is known.
Dataset read_tokenized(const std::filesystem::path& folder, const std::filesystem::path& model,
                       size_t max_tokens);

}  // namespace cuset::data
