// What a tokenizer file is made of, built and ready. Internal to the module.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/bpe_model.h"
#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/post_processor.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/token_decoder.h"

namespace cuset::text {

// Working memory for encoding one text at a time.
struct EncodeScratch {
  BpeScratch bpe;
  PieceList pieces;
};

// Scratches that are not in use, so that word caches live on from text to text.
class ScratchPool {
 public:
  std::unique_ptr<EncodeScratch> take();
  void give_back(std::unique_ptr<EncodeScratch> scratch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<EncodeScratch>> free_;
};

struct TokenizerParts {
  std::string name;  // the file
  std::unique_ptr<Normalizer> normalizer;
  PreTokenizers pre_tokenizers;
  BpeModel model;
  PostProcessor post_processor;
  TokenDecoder decoder;
  std::vector<AddedToken> added_tokens;
  std::vector<bool> added_is_control;  // by index
  std::vector<uint32_t> added_by_id;   // index, or kNoToken
  AddedTokenMatcher raw_matcher;       // normalized: false
  AddedTokenMatcher normalized_matcher;
  mutable ScratchPool scratches;

  const AddedToken* added_token(uint32_t id) const {
    return added_by_id[id] == kNoToken ? nullptr : &added_tokens[added_by_id[id]];
  }
  // Whether the name is text as it stands: an added token that no token of the vocabulary gave its id to.
  bool is_literal(uint32_t id) const { return id >= model.vocabulary().size(); }
  uint32_t vocab_size() const { return static_cast<uint32_t>(added_by_id.size()); }
  // The name of an id below vocab_size().
  std::string token_name(uint32_t id) const;
};

// Throws Error for what is damaged or not supported.
std::unique_ptr<TokenizerParts> read_tokenizer_parts(std::string_view text, const std::string& name);

}  // namespace cuset::text
