#include "cuda_source/reasoning.h"

#include <algorithm>
#include <array>

namespace cuset::cuda_source {
namespace {

struct TagPair {
  std::string_view open;
  std::string_view close;
};

constexpr std::array<TagPair, 5> kTags = {{
    {"<think>", "</think>"},
    {"<thinking>", "</thinking>"},
    {"<reasoning>", "</reasoning>"},
    {"<thought>", "</thought>"},
    {"<|begin_of_thought|>", "<|end_of_thought|>"},
}};

bool starts_line(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '>';
}

class ReasoningReader {
 public:
  explicit ReasoningReader(std::string_view text) : text_(text) {}

  Reasoning run() {
    size_t at = 0;
    while ((at = text_.find('<', at)) != std::string_view::npos) at = handle(at);
    if (open_ != nullptr) {
      result_.unfinished = true;
      result_.reasoning.push_back({begin_, text_.size()});
    }
    add_answers();
    return std::move(result_);
  }

 private:
  // Looks for a tag at `at`; returns where to search on.
  size_t handle(size_t at) {
    for (const TagPair& tag : kTags) {
      if (open_ == nullptr && text_.substr(at).starts_with(tag.open) && starts_line(text_, at)) {
        open_ = &tag;
        begin_ = at;
        return at + tag.open.size();
      }
      if (text_.substr(at).starts_with(tag.close) && (open_ == nullptr || open_ == &tag)) {
        const size_t end = at + tag.close.size();
        if (open_ == nullptr) {
          result_.reasoning.assign(1, {0, end});
        } else {
          result_.reasoning.push_back({begin_, end});
        }
        open_ = nullptr;
        return end;
      }
    }
    return at + 1;
  }

  void add_answers() {
    size_t from = 0;
    for (const base::ByteSpan& span : result_.reasoning) {
      if (from < span.begin) result_.answer.push_back({from, span.begin});
      from = span.end;
    }
    if (from < text_.size()) result_.answer.push_back({from, text_.size()});
  }

  std::string_view text_;
  Reasoning result_;
  const TagPair* open_ = nullptr;
  size_t begin_ = 0;
};

}  // namespace

Reasoning split_reasoning(std::string_view text) { return ReasoningReader(text).run(); }

}  // namespace cuset::cuda_source
