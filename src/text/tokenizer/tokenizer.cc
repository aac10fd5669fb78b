#include "text/tokenizer/tokenizer.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/machine/worker_pool.h"
#include "text/tokenizer/encoder.h"
#include "text/tokenizer/tokenizer_parts.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

// Borrows a scratch for the length of a scope.
class ScratchLoan {
 public:
  explicit ScratchLoan(ScratchPool& pool) : pool_(pool), scratch_(pool.take()) {}
  ~ScratchLoan() { pool_.give_back(std::move(scratch_)); }
  ScratchLoan(const ScratchLoan&) = delete;
  ScratchLoan& operator=(const ScratchLoan&) = delete;
  EncodeScratch& operator*() { return *scratch_; }

 private:
  ScratchPool& pool_;
  std::unique_ptr<EncodeScratch> scratch_;
};

void check_text(std::string_view text) {
  if (text.size() >= UINT32_MAX) {
    throw base::Error("a text of {} bytes is too long to tokenize at once", text.size())
        .with_remedy("cut it into parts");
  }
  if (const size_t bad = find_invalid_utf8(text); bad != std::string_view::npos) {
    throw base::Error("the text is not valid UTF-8 at byte {} (0x{:02X})", bad,
                      static_cast<unsigned char>(text[bad]))
        .with_remedy("convert it to UTF-8 first");
  }
}

Encoding encode_with(const TokenizerParts& parts, std::string_view text, const EncodeOptions& options,
                     EncodeScratch& scratch) {
  check_text(text);
  return Encoder(parts, options, scratch).run(text);
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<TokenizerParts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::from_json(std::string_view text, const std::string& name) {
  return Tokenizer(read_tokenizer_parts(text, name));
}

Tokenizer Tokenizer::from_file(const std::filesystem::path& path) {
  const base::MappedFile file(path);
  return from_json(file.text(), path.string());
}

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  ScratchLoan scratch(parts_->scratches);
  return encode_with(*parts_, text, options, *scratch);
}

std::vector<Encoding> Tokenizer::encode_batch(std::span<const std::string_view> texts,
                                              const EncodeOptions& options, unsigned threads) const {
  std::vector<Encoding> encodings(texts.size());
  base::WorkerPool{.threads = threads}.run(texts.size(),
                                           [&](size_t i) { encodings[i] = encode(texts[i], options); });
  return encodings;
}

void Tokenizer::check_id(uint32_t id) const {
  if (id >= vocab_size()) {
    throw base::Error("the token id {} is outside the vocabulary of {} ({} tokens)", id, parts_->name,
                      vocab_size());
  }
}

std::string Tokenizer::decode(std::span<const uint32_t> ids, bool skip_special) const {
  std::vector<DecodedToken> tokens;
  std::string bytes;
  for (const uint32_t id : ids) {
    check_id(id);
    if (skip_special && is_special(id)) continue;
    const bool literal = parts_->is_literal(id);
    if (parts_->decoder.byte_level) {
      bytes += byte_level_text(parts_->token_name(id), literal);
    } else {
      tokens.push_back({parts_->token_name(id), literal});
    }
  }
  return parts_->decoder.byte_level ? replace_invalid_utf8(bytes) : parts_->decoder.decode(std::move(tokens));
}

std::string Tokenizer::token_bytes(uint32_t id) const {
  check_id(id);
  const std::string name = parts_->token_name(id);
  if (parts_->decoder.byte_level) return byte_level_text(name, parts_->is_literal(id));
  std::string text = decode({&id, 1});
  if (text != "\xEF\xBF\xBD") return text;
  const std::optional<char> byte = fallback_byte(name);
  return byte ? std::string(1, *byte) : text;
}

uint32_t Tokenizer::vocab_size() const { return parts_->vocab_size(); }

std::optional<uint32_t> Tokenizer::token_to_id(std::string_view token) const {
  for (const AddedToken& added : parts_->added_tokens) {
    if (added.content == token) return added.id;
  }
  const uint32_t id = parts_->model.vocabulary().find(token);
  return id == kNoToken ? std::nullopt : std::optional(id);
}

std::optional<std::string> Tokenizer::id_to_token(uint32_t id) const {
  return id < vocab_size() ? std::optional(parts_->token_name(id)) : std::nullopt;
}

bool Tokenizer::is_special(uint32_t id) const {
  const AddedToken* added = id < vocab_size() ? parts_->added_token(id) : nullptr;
  return added != nullptr && added->special;
}

const std::vector<AddedToken>& Tokenizer::added_tokens() const { return parts_->added_tokens; }

}  // namespace cuset::text
