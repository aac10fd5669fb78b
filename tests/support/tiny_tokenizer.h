// Small tokenizer documents for tests and fuzz targets: the 256 bytes, some merges, and sections to be
// replaced.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::support {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

// Fills in the other sections; a merge adds its token to the vocabulary.
inline base::Json document_with(base::Json vocabulary, const NamePairs& merges) {
  base::Json merge_list = base::Json::array();
  for (const auto& [left, right] : merges) {
    merge_list.push_back(left + " " + right);
    const size_t id = vocabulary.size();
    if (!vocabulary.contains(left + right)) vocabulary[left + right] = id;
  }
  base::Json model = {{"type", "BPE"}, {"unk_token", nullptr}};
  model["vocab"] = std::move(vocabulary);
  model["merges"] = std::move(merge_list);
  base::Json document = {{"version", "1.0"}, {"added_tokens", base::Json::array()}, {"normalizer", nullptr}};
  document["pre_tokenizer"] = nullptr;
  document["post_processor"] = nullptr;
  document["decoder"] = nullptr;
  document["model"] = std::move(model);
  return document;
}

// A byte-level document: ids 0 to 255 are the bytes themselves, then one token for each merge.
inline base::Json tiny_document(const NamePairs& merges = {}) {
  base::Json vocabulary = base::Json::object();
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[text::to_byte_alphabet(std::string(1, static_cast<char>(byte)))] = byte;
  }
  base::Json document = document_with(std::move(vocabulary), merges);
  const base::Json byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
  document["pre_tokenizer"] = byte_level;
  document["decoder"] = byte_level;
  return document;
}

// A document whose vocabulary is `names`, without pre-tokenizer, and with merges among them.
inline base::Json character_document(const std::vector<std::string>& names, const NamePairs& merges = {}) {
  base::Json vocabulary = base::Json::object();
  for (size_t id = 0; id < names.size(); ++id) vocabulary[names[id]] = id;
  return document_with(std::move(vocabulary), merges);
}

// Adds an added token that follows the ones there; `flags` are set to true.
inline void add_token(base::Json& document, const std::string& content,
                      const std::vector<std::string>& flags = {}) {
  const base::Json& vocabulary = document["model"]["vocab"];
  size_t id = vocabulary.size();
  for (const base::Json& token : document["added_tokens"]) {
    if (!vocabulary.contains(token["content"].get<std::string>())) ++id;
  }
  if (vocabulary.contains(content)) id = vocabulary[content].get<size_t>();
  base::Json token = {{"id", id}, {"content", content}};
  for (const char* flag : {"single_word", "lstrip", "rstrip", "normalized", "special"}) token[flag] = false;
  for (const std::string& flag : flags) token[flag] = true;
  document["added_tokens"].push_back(std::move(token));
}

// "a|b c|d": the texts of the tokens, by their spans.
inline std::string pieces_of(const text::Tokenizer& tokenizer, std::string_view text,
                             const text::EncodeOptions& options = {}) {
  std::string out;
  for (const auto& [begin, end] : tokenizer.encode(text, options).spans) {
    if (!out.empty()) out += '|';
    out += text.substr(begin, end - begin);
  }
  return out;
}

inline text::Tokenizer tokenizer_from(const base::Json& document) {
  return text::Tokenizer::from_json(base::to_json_line(document), "tiny.json");
}

}  // namespace cuset::support
