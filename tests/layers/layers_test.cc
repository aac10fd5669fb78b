#include "layers/layers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTable =
    "| room | what lives there | may use |\n"
    "|---|---|---|\n"
    "| `base/` | errors | std, third-party |\n"
    "| `ops/` | tensors | base, LibTorch |\n"
    "| `report/` | pages | base |\n"
    "| `study/` | studies | all but cli, report |\n"
    "| `cli/` | commands | all; nobody uses it |\n";

// A small house on disk with one file.
class House : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "/house";
    fs::remove_all(root_);
    for (const char* room : {"base", "ops", "report", "study", "cli"}) fs::create_directories(root_ / room);
  }

  // "file:line header: reason" of the only violation; empty if there is none.
  std::string complaint(const char* file, const char* text) {
    write_file_atomic(root_ / file, text);
    const auto found = find_forbidden_includes(root_, parse_table_of_rooms(kTable));
    EXPECT_LE(found.size(), 1u);
    if (found.empty()) return "";
    return fmt::format("{}:{} {}: {}", fs::relative(found[0].file, root_).string(), found[0].line,
                       found[0].included, found[0].reason);
  }

  fs::path root_;
};

TEST_F(House, AllowsWhatTheTableNames) {
  EXPECT_EQ(
      complaint("ops/a.cc", "#include \"ops/a.h\"\n#include \"base/error.h\"\n#include <torch/types.h>\n"),
      "");
  EXPECT_EQ(complaint("study/a.cc", "#include \"ops/a.h\"\n#include <vector>\n#include <fmt/format.h>\n"),
            "");
  EXPECT_EQ(complaint("cli/a.cc", "#include \"report/a.h\"\n#include \"study/a.h\"\n"), "");
}

TEST_F(House, ForbidsARoomThatTheTableDoesNotName) {
  EXPECT_EQ(complaint("base/a.cc", "#include <vector>\n  #  include \"ops/a.h\"\n"),
            "base/a.cc:2 ops/a.h: base/ may not use ops");
}

TEST_F(House, ForbidsLibTorchOutsideItsRooms) {
  EXPECT_EQ(complaint("report/a.h", "#include <ATen/ATen.h>\n"),
            "report/a.h:1 ATen/ATen.h: report/ may not use LibTorch");
}

TEST_F(House, NobodyUsesTheCommandLine) {
  EXPECT_EQ(complaint("study/a.cc", "#include \"cli/a.h\"\n"),
            "study/a.cc:1 cli/a.h: study/ may not use cli");
}

TEST_F(House, ForbidsRelativePathsAndChecksCudaSources) {
  EXPECT_EQ(complaint("ops/a.cu", "#include \"../report/a.h\"\n"),
            "ops/a.cu:1 ../report/a.h: includes name the room, never a relative path");
}

TEST_F(House, ForbidsAFolderThatIsNoRoom) {
  fs::create_directories(root_ / "utils");
  const auto found = find_forbidden_includes(root_, parse_table_of_rooms(kTable));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].reason, "utils/ is no room of the table");
}

TEST(TableOfRooms, UnknownRoomInACellIsAnError) {
  EXPECT_THROW(parse_table_of_rooms("| base/ | x | attic |\n"), Error);
  EXPECT_THROW(parse_table_of_rooms("no table"), Error);
}

TEST(TableOfRooms, OurSourcesObeyIt) {
  const AllowedUses uses = parse_table_of_rooms(read_file("README.md"));
  for (const auto& [room, allowed] : uses) EXPECT_TRUE(fs::is_directory(fs::path("src") / room)) << room;
  for (const ForbiddenInclude& include : find_forbidden_includes("src", uses)) {
    ADD_FAILURE() << include.file.string() << ":" << include.line << ": " << include.included << ": "
                  << include.reason;
  }
}

}  // namespace
}  // namespace cuset
