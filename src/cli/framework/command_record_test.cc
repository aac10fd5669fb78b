#include "cli/framework/command_record.h"

#include <gtest/gtest.h>

namespace cuset::cli {
namespace {

TEST(CommandRecord, TheLineCanBePastedIntoAShell) {
  using namespace std::string_view_literals;
  EXPECT_EQ(command_line_of("/opt/bin/cuset\0train\0--set\0tau=0.5\0--system\0don't \"go\"\0--stop\0\0"sv),
            R"(cuset train --set tau=0.5 --system 'don'\''t "go"' --stop '')");
  EXPECT_EQ(command_line_of(""), "");
}

TEST(CommandRecord, NamesTheTimeAndTheSettings) {
  Settings settings;
  const base::Json record = command_record("train", settings);
  EXPECT_EQ(record["command"], "train");
  EXPECT_EQ(record["started"].get<std::string>().size(), 20u);
  EXPECT_FALSE(record["command_line"].get<std::string>().empty());
}

}  // namespace
}  // namespace cuset::cli
