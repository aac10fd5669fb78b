#include "cli/framework/command_table.h"

#include <gtest/gtest.h>

#include "cli/application.h"

namespace cuset::cli {
namespace {

CommandTable sample_table() {
  return {{"", "Does things.", {{{"-q", "--quiet"}, "", "Print less"}}, ""},
          {"bench", "Measure", {}, ""},
          {"bench train", "Measure a step", {{{"--size"}, "NUMBER", "Tokens"}}, "  cuset bench train"}};
}

TEST(BashCompletion, OffersWordsBelowACommandAndItsFlags) {
  const std::string script = bash_completion(sample_table());
  EXPECT_NE(script.find("    'bench' | 'bench train') command=$next ;;\n"), std::string::npos) << script;
  EXPECT_NE(script.find("    '') words='bench' flags='-q --quiet' ;;\n"), std::string::npos) << script;
  EXPECT_NE(script.find("    'bench') words='train' flags='' ;;\n"), std::string::npos) << script;
  EXPECT_NE(script.find("    'bench train') words='' flags='--size' ;;\n"), std::string::npos) << script;
}

TEST(ManualPage, EscapesWhatRoffWouldTakeForItself) {
  CommandTable table = sample_table();
  table[2].flags[0].help = ".hidden -x \\n";
  const std::string page = manual_page(table, "1.0");
  EXPECT_NE(page.find(".SS cuset bench train\nMeasure a step.\n.TP\n\\fB\\-\\-size\\fR \\fINUMBER\\fR\n"
                      "\\&.hidden \\-x \\en\n"),
            std::string::npos)
      << page;
}

TEST(CommandTable, OfTheProgramHasEveryCommandWithItsFlags) {
  const CommandTable table = command_table();
  ASSERT_FALSE(table.empty());
  EXPECT_EQ(table[0].name, "");
  for (const auto& command : all_commands()) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const CommandHelp& entry) { return entry.name == command->name(); });
    ASSERT_NE(found, table.end()) << command->name();
    EXPECT_EQ(found->summary, command->summary());
    EXPECT_FALSE(found->flags.empty()) << command->name();
  }
}

}  // namespace
}  // namespace cuset::cli
