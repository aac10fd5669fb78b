#include "cuda_source/fences.h"

#include <algorithm>
#include <array>
#include <optional>

namespace cuset::cuda_source {
namespace {

using namespace std::string_view_literals;

struct Fence {
  char character;
  size_t length;
  size_t indent;
  std::string tag;
  bool bare;  // nothing after the fence
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string first_word_lowered(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (is_blank(c) || c == '{' || c == ',' || c == ':') break;
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word;
}

// The fence on `line`, which has no line end.
std::optional<Fence> read_fence(std::string_view line) {
  size_t indent = 0;
  while (indent < line.size() && is_blank(line[indent])) ++indent;
  if (indent == line.size() || (line[indent] != '`' && line[indent] != '~')) return std::nullopt;
  const char character = line[indent];
  size_t end = indent;
  while (end < line.size() && line[end] == character) ++end;
  if (end - indent < 3) return std::nullopt;
  std::string_view info = line.substr(end);
  while (!info.empty() && is_blank(info.front())) info.remove_prefix(1);
  while (!info.empty() && is_blank(info.back())) info.remove_suffix(1);
  if (character == '`' && info.find('`') != std::string_view::npos) return std::nullopt;
  return Fence{character, end - indent, indent, first_word_lowered(info), info.empty()};
}

class BlockReader {
 public:
  // `look_inside`: an untagged block that opens with a fence is replaced by the blocks in it.
  BlockReader(std::string_view text, bool look_inside) : text_(text), look_inside_(look_inside) {}

  std::vector<CodeBlock> run() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t line_end = std::min(text_.find('\n', begin), text_.size());
      const size_t next = std::min(line_end + 1, text_.size());
      if (const auto fence = read_fence(text_.substr(begin, line_end - begin))) handle(*fence, begin, next);
      begin = next;
    }
    if (open_) end_block(text_.size(), false);
    return std::move(blocks_);
  }

 private:
  void handle(const Fence& fence, size_t begin, size_t next) {
    if (!open_) {
      if (first_ && fence.bare && starts_like_code(text_.substr(0, begin))) {
        blocks_.push_back({{0, begin}, "", 0, true});
      } else if (fence.tag != "markdown" && fence.tag != "md") {
        start_block(fence, next);
      }
      first_ = false;
      return;
    }
    if (fence.character != open_->character || fence.length < open_->length) return;
    if (fence.bare) {
      end_block(begin, true);
    } else if (fence.indent <= open_->indent) {
      end_block(begin, false);
      start_block(fence, next);
    }
  }

  void start_block(const Fence& fence, size_t content) {
    open_ = fence;
    content_ = content;
  }

  void end_block(size_t end, bool closed) {
    const base::ByteSpan content{content_, std::max(content_, end)};
    if (look_inside_ && open_->tag.empty() && opens_with_fence(content.of(text_))) {
      for (CodeBlock& block : BlockReader(content.of(text_), false).run()) {
        block.content.begin += content.begin;
        block.content.end += content.begin;
        blocks_.push_back(std::move(block));
      }
    } else {
      blocks_.push_back({content, open_->tag, open_->indent, closed});
    }
    open_.reset();
  }

  static bool opens_with_fence(std::string_view content) {
    return read_fence(content.substr(0, std::min(content.find('\n'), content.size()))).has_value();
  }

  std::string_view text_;
  bool look_inside_;
  std::vector<CodeBlock> blocks_;
  std::optional<Fence> open_;
  size_t content_ = 0;
  bool first_ = true;
};

}  // namespace

std::vector<CodeBlock> find_code_blocks(std::string_view text) { return BlockReader(text, true).run(); }

bool starts_like_code(std::string_view text) {
  static constexpr std::array kOpenings = {
      "#include"sv, "#define"sv,    "#pragma"sv, "#if"sv,      "//"sv,         "/*"sv,
      "import "sv,  "from "sv,      "extern "sv, "template"sv, "__global__"sv, "__device__"sv,
      "using "sv,   "namespace "sv, "static "sv, "class "sv,   "\"\"\""sv};
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view rest = text.substr(first);
  return std::any_of(kOpenings.begin(), kOpenings.end(),
                     [&](std::string_view o) { return rest.starts_with(o); });
}

}  // namespace cuset::cuda_source
