#include "text/tokenizer/token_decoder.h"

#include <optional>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/split_pattern.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

// All tokens as one.
class ByteLevelStep : public DecoderStep {
 public:
  void apply(std::vector<DecodedToken>& tokens) const override {
    std::string bytes;
    for (const DecodedToken& token : tokens) bytes += byte_level_text(token.text, token.literal);
    tokens = {{replace_invalid_utf8(bytes)}};
  }
};

class FuseStep : public DecoderStep {
 public:
  void apply(std::vector<DecodedToken>& tokens) const override {
    std::string all;
    for (const DecodedToken& token : tokens) all += token.text;
    tokens = {{std::move(all)}};
  }
};

// <0xE2><0x82><0xAC> -> €. A run of byte tokens that is not valid as a whole becomes one U+FFFD for each.
class ByteFallbackStep : public DecoderStep {
 public:
  void apply(std::vector<DecodedToken>& tokens) const override {
    std::vector<DecodedToken> out;
    std::string run;
    const auto end_run = [&] {
      if (run.empty()) return;
      if (find_invalid_utf8(run) == std::string::npos) {
        out.push_back({run});
      } else {
        out.insert(out.end(), run.size(), DecodedToken{"\xEF\xBF\xBD"});
      }
      run.clear();
    };
    for (DecodedToken& token : tokens) {
      if (const auto byte = fallback_byte(token.text)) {
        run += *byte;
      } else {
        end_run();
        out.push_back(std::move(token));
      }
    }
    end_run();
    tokens = std::move(out);
  }
};

// Takes up to `start` and `stop` copies of a character off the ends of each token.
class StripStep : public DecoderStep {
 public:
  StripStep(std::string content, uint32_t start, uint32_t stop)
      : content_(std::move(content)), start_(start), stop_(stop) {}

  void apply(std::vector<DecodedToken>& tokens) const override {
    const size_t size = content_.size();
    for (DecodedToken& token : tokens) {
      std::string_view text = token.text;
      for (uint32_t i = 0; i < start_ && text.substr(0, size) == content_; ++i) text.remove_prefix(size);
      for (uint32_t i = 0; i < stop_ && text.size() >= size && text.substr(text.size() - size) == content_;
           ++i) {
        text.remove_suffix(size);
      }
      token.text = std::string(text);
    }
  }

 private:
  std::string content_;
  uint32_t start_, stop_;
};

class ReplaceStep : public DecoderStep {
 public:
  ReplaceStep(Regex pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void apply(std::vector<DecodedToken>& tokens) const override {
    for (DecodedToken& token : tokens) {
      std::string fresh;
      size_t done = 0;
      pattern_.for_each(token.text, [&](size_t begin, size_t end) {
        fresh.append(token.text, done, begin - done).append(content_);
        done = end;
      });
      fresh.append(token.text, done, std::string::npos);
      token.text = std::move(fresh);
    }
  }

 private:
  Regex pattern_;
  std::string content_;
};

std::unique_ptr<DecoderStep> read_strip(const base::JsonCursor& section) {
  section.expect_only({"type", "content", "start", "stop"});
  const std::string content = section.at("content").string();
  if (content.empty() || decode_utf8(content, 0).size != content.size()) {
    section.at("content").refuse("must be one character");
  }
  const auto count = [&](std::string_view key) {
    return static_cast<uint32_t>(section.at(key).integer(0, UINT32_MAX - 1));
  };
  return std::make_unique<StripStep>(content, count("start"), count("stop"));
}

std::unique_ptr<DecoderStep> read_step(const base::JsonCursor& section, const std::string& type) {
  if (type == "ByteLevel") {
    section.expect_only({"type", "add_prefix_space", "trim_offsets", "use_regex"});
    return std::make_unique<ByteLevelStep>();
  }
  if (type == "ByteFallback") {
    section.expect_only({"type"});
    return std::make_unique<ByteFallbackStep>();
  }
  if (type == "Fuse") {
    section.expect_only({"type"});
    return std::make_unique<FuseStep>();
  }
  if (type == "Strip") return read_strip(section);
  if (type == "Replace") {
    section.expect_only({"type", "pattern", "content"});
    return std::make_unique<ReplaceStep>(read_pattern(section.at("pattern")), section.at("content").string());
  }
  section.at("type").refuse(fmt::format("is {}, which is not supported", base::in_quotes(type)));
}

void read_steps(const base::JsonCursor& section, TokenDecoder& decoder) {
  const std::string type = section.at("type").string();
  if (type != "Sequence") {
    decoder.steps.push_back(read_step(section, type));
    decoder.byte_level = type == "ByteLevel" && decoder.steps.size() == 1;
    return;
  }
  section.expect_only({"type", "decoders"});
  for (const base::JsonCursor& step : section.at("decoders").elements()) read_steps(step, decoder);
}

}  // namespace

std::optional<char> fallback_byte(const std::string& name) {
  if (name.size() != 6 || name.compare(0, 3, "<0x") != 0 || name[5] != '>') return std::nullopt;
  const std::string digits = name.substr(3, 2);
  if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
  return static_cast<char>(std::stoi(digits, nullptr, 16));
}

std::string byte_level_text(const std::string& name, bool literal) {
  if (literal) return name;
  return from_byte_alphabet(name).value_or(name);
}

std::string TokenDecoder::decode(std::vector<DecodedToken> tokens) const {
  for (const auto& step : steps) step->apply(tokens);
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (joins_with_spaces && i > 0) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

TokenDecoder read_decoder(const base::JsonCursor& section) {
  TokenDecoder decoder;
  decoder.joins_with_spaces = section.is_absent();
  if (!section.is_absent()) read_steps(section, decoder);
  return decoder;
}

}  // namespace cuset::text
