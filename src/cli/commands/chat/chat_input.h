// What a person types to a model: messages and commands, from a terminal or a pipe.
//
//   a line                       a message
//   a line that ends in \        continues in the next one
//   """ ... """                  a message of several lines, each mark on a line of its own
//   /word rest                   a command
//
// Empty lines are passed over. A message that begins with "/" is written with a space before it, or between
// the marks.
#pragma once

#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace cuset::cli {

struct ChatLine {
  std::string command;  // "reset"; empty for a message
  std::string text;     // the message, or what follows the command
};

class ChatInput {
 public:
  // `prompt` is called before a line is read: with false for the first of a message, true for those after it.
  // The stream must outlive this.
  ChatInput(std::istream& stream, std::function<void(bool continues)> prompt);

  // Nothing at the end of the input; an unfinished message counts before it.
  std::optional<ChatLine> next();

 private:
  std::optional<std::string> read_line(bool continues);
  std::string read_block();

  std::istream& stream_;
  std::function<void(bool)> prompt_;
};

}  // namespace cuset::cli
