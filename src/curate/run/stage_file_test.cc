#include "curate/run/stage_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

TEST(StageFile, IsReadBackUnderItsKeyOnly) {
  const support::TestFolder folder;
  const std::filesystem::path file = folder.path() / "exact.jsonl";
  EXPECT_FALSE(read_stage(file, "exact", "k"));
  StageResult result;
  result.rejected[3] = {"exact", "exact_duplicate", "of a"};
  result.notes[4] = {{"verdict", "correct"}};
  result.summary = {{"kept", 1}};
  write_stage(file, "exact", "k", result);
  const auto found = read_stage(file, "exact", "k");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rejected.at(3).detail, "of a");
  EXPECT_EQ(found->rejected.at(3).stage, "exact");
  EXPECT_EQ(found->notes.at(4)["verdict"], "correct");
  EXPECT_EQ(found->summary["kept"], 1);
  EXPECT_FALSE(read_stage(file, "exact", "other"));
  EXPECT_FALSE(read_stage(file, "near", "k"));
}

TEST(StageFile, KeysDependOnEverythingBefore) {
  const std::string first = stage_key("", "a", {{"x", 1}});
  EXPECT_EQ(first, stage_key("", "a", {{"x", 1}}));
  EXPECT_NE(first, stage_key("", "a", {{"x", 2}}));
  EXPECT_NE(stage_key(first, "b", {}), stage_key("", "b", {}));
}

TEST(StageFile, ContentDecidesTheKeyOfAFileOrFolder) {
  const support::TestFolder folder;
  const auto file = folder.write("a/x.cu", "1");
  const std::string of_file = content_key(file), of_folder = content_key(folder.path());
  EXPECT_EQ(content_key(file), of_file);
  folder.write("a/x.cu", "2");
  EXPECT_NE(content_key(file), of_file);
  EXPECT_NE(content_key(folder.path()), of_folder);
}

}  // namespace
}  // namespace cuset::curate
