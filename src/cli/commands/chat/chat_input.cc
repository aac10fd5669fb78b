#include "cli/commands/chat/chat_input.h"

#include <algorithm>
#include <utility>

namespace cuset::cli {
namespace {

constexpr std::string_view kMark = "\"\"\"";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

ChatLine command_of(std::string_view line) {
  const size_t end = std::min(line.find_first_of(" \t"), line.size());
  return {std::string(line.substr(1, end - 1)), std::string(trimmed(line.substr(end)))};
}

}  // namespace

ChatInput::ChatInput(std::istream& stream, std::function<void(bool)> prompt)
    : stream_(stream), prompt_(std::move(prompt)) {}

std::optional<std::string> ChatInput::read_line(bool continues) {
  prompt_(continues);
  std::string line;
  if (!std::getline(stream_, line)) return std::nullopt;
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

std::string ChatInput::read_block() {
  std::string text;
  while (const std::optional<std::string> line = read_line(true)) {
    if (trimmed(*line) == kMark) break;
    text += (text.empty() ? "" : "\n") + *line;
  }
  return text;
}

std::optional<ChatLine> ChatInput::next() {
  while (std::optional<std::string> line = read_line(false)) {
    if (line->starts_with('/')) return command_of(*line);
    std::string text;
    if (trimmed(*line) == kMark) {
      text = read_block();
    } else {
      while (line && line->ends_with('\\')) {
        text.append(*line, 0, line->size() - 1).append("\n");
        line = read_line(true);
      }
      if (line) text += *line;
      text = std::string(trimmed(text));
    }
    if (!trimmed(text).empty()) return ChatLine{"", text};
  }
  return std::nullopt;
}

}  // namespace cuset::cli
