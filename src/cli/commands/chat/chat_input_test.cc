#include "cli/commands/chat/chat_input.h"

#include <gtest/gtest.h>

#include <sstream>

namespace cuset::cli {
namespace {

// "hello|/reset|/save=a b|": messages and commands.
std::string read_all(const std::string& typed) {
  std::istringstream stream(typed);
  ChatInput input(stream, [](bool) {});
  std::string all;
  while (const std::optional<ChatLine> line = input.next()) {
    if (!line->command.empty()) all += "/" + line->command + (line->text.empty() ? "" : "=");
    all += line->text + "|";
  }
  return all;
}

TEST(ChatInput, LinesAreMessages) {
  EXPECT_EQ(read_all("hello\n\n  \nwrite a kernel"), "hello|write a kernel|");
  EXPECT_EQ(read_all("one\r\ntwo\r\n"), "one|two|");
  EXPECT_EQ(read_all(""), "");
}

TEST(ChatInput, CommandsHaveAWordAndARest) {
  EXPECT_EQ(read_all("/reset\n/save  a b \n/\n"), "/reset|/save=a b||");
  EXPECT_EQ(read_all(" /usr/bin is a folder\n"), "/usr/bin is a folder|");
}

TEST(ChatInput, MessagesOfSeveralLines) {
  EXPECT_EQ(read_all("a \\\nb\\\n\nc\n"), "a \nb|c|");
  EXPECT_EQ(read_all("\"\"\"\nint main() {\n\n  /reset\n}\n\"\"\"\nnext\n"),
            "int main() {\n\n  /reset\n}|next|");
  EXPECT_EQ(read_all("\"\"\"\nunfinished"), "unfinished|");
  EXPECT_EQ(read_all("a\\"), "a|");
}

TEST(ChatInput, PromptSaysWhetherAMessageGoesOn) {
  std::istringstream stream("a\\\nb\nc");
  std::string prompts;
  ChatInput input(stream, [&](bool continues) { prompts += continues ? "." : ">"; });
  while (input.next()) {
  }
  EXPECT_EQ(prompts, ">.>>");
}

}  // namespace
}  // namespace cuset::cli
