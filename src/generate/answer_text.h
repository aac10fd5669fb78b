// The text of an answer while it is being written: tokens become characters, and stop strings are found
// wherever they begin and end, also inside tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace cuset::generate {

class AnswerText {
 public:
  // The tokenizer must outlive this. Stop strings are not empty.
  AnswerText(const text::Tokenizer& tokenizer, std::vector<std::string> stop_strings);

  // Takes one more token. True where a stop string is complete: the text then ends before the first one.
  bool push(uint32_t id);

  // No more tokens: gives out what the decoder held back. True as for push().
  bool finish();

  const std::string& text() const { return text_; }

  // What became certain since the last call: no stop string to come can take it back.
  std::string_view take_certain();

 private:
  bool append(std::string_view piece);
  size_t held_back() const;

  text::StreamingDecoder decoder_;
  std::vector<std::string> stop_strings_;
  size_t longest_stop_ = 0;
  std::string text_;
  size_t given_ = 0;       // bytes of text_ that take_certain() gave out
  bool is_ended_ = false;  // nothing more will come
};

}  // namespace cuset::generate
