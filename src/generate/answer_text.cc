#include "generate/answer_text.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace cuset::generate {

AnswerText::AnswerText(const text::Tokenizer& tokenizer, std::vector<std::string> stop_strings)
    : decoder_(tokenizer), stop_strings_(std::move(stop_strings)) {
  for (const std::string& stop : stop_strings_) {
    CUSET_CHECK(!stop.empty(), "an empty stop string");
    longest_stop_ = std::max(longest_stop_, stop.size());
  }
}

bool AnswerText::push(uint32_t id) { return append(decoder_.push(id)); }

bool AnswerText::finish() {
  const bool found = append(decoder_.finish());
  is_ended_ = true;
  return found;
}

bool AnswerText::append(std::string_view piece) {
  // A stop string that is new ends in the new piece.
  const size_t from = text_.size() - std::min(text_.size(), longest_stop_ == 0 ? 0 : longest_stop_ - 1);
  text_ += piece;
  size_t cut = std::string::npos;
  for (const std::string& stop : stop_strings_) cut = std::min(cut, text_.find(stop, from));
  if (cut == std::string::npos) return false;
  text_.resize(cut);
  is_ended_ = true;
  return true;
}

// The longest end of the text with which a stop string begins.
size_t AnswerText::held_back() const {
  size_t longest = 0;
  for (const std::string& stop : stop_strings_) {
    for (size_t size = std::min(stop.size() - 1, text_.size()); size > longest; --size) {
      if (std::string_view(text_).ends_with(std::string_view(stop).substr(0, size))) longest = size;
    }
  }
  return longest;
}

std::string_view AnswerText::take_certain() {
  const size_t certain = text_.size() - (is_ended_ ? 0 : held_back());
  if (certain <= given_) return {};
  const std::string_view piece = std::string_view(text_).substr(given_, certain - given_);
  given_ = certain;
  return piece;
}

}  // namespace cuset::generate
