#include "execute/run/order_check.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

class OrderCheck : public testing::Test {
 protected:
  OrderCheck() {
    fs::create_directories(usual_.folder);
    fs::create_directories(other_.folder);
  }

  // In words, or "" where the runs agree.
  std::string difference(const Differences& ignored = {}) const {
    const Differences differences = differences_between(usual_, other_).without(ignored);
    return differences.empty() ? "" : first_difference(usual_, other_, differences);
  }

  base::TemporaryFolder root_;
  RunTrace usual_{"exit status 0", "a\nsum 10\n", root_ / "usual"};
  RunTrace other_{"exit status 0", "a\nsum 10\n", root_ / "other"};
};

TEST_F(OrderCheck, EqualRunsHaveNoDifference) {
  base::write_file_atomic(usual_.folder / "out.bin", std::string(200'000, 'x'));
  base::write_file_atomic(other_.folder / "out.bin", std::string(200'000, 'x'));
  EXPECT_EQ(difference(), "");
}

TEST_F(OrderCheck, OutputIsComparedLineByLine) {
  other_.output = "a\nsum 12\n";
  EXPECT_EQ(difference(), "line 2 of the output is \"sum 12\" instead of \"sum 10\"");
  other_.output = "a\n";
  EXPECT_EQ(difference(), "line 2 of the output is missing instead of \"sum 10\"");
}

TEST_F(OrderCheck, EndingComesFirst) {
  other_.output = "b\n";
  other_.ending = "exit status 1";
  EXPECT_EQ(difference(), "it ends with exit status 1 instead of exit status 0");
}

TEST_F(OrderCheck, FilesAreComparedByteByByte) {
  std::string content(200'000, 'x');
  base::write_file_atomic(usual_.folder / "out.bin", content);
  EXPECT_EQ(difference(), "the file \"out.bin\" is not written");
  content[70'000] = 'y';
  base::write_file_atomic(other_.folder / "out.bin", content);
  EXPECT_EQ(difference(), "the file \"out.bin\" differs from byte 70000 on");
  base::write_file_atomic(other_.folder / "out.bin", std::string(10, 'x'));
  EXPECT_EQ(difference(), "the file \"out.bin\" differs from byte 10 on");
}

TEST_F(OrderCheck, LinksAreNotFollowed) {
  base::write_file_atomic(root_ / "secret", "one");
  fs::create_symlink(root_ / "secret", usual_.folder / "link");
  fs::create_symlink(root_ / "nothing", other_.folder / "link");
  EXPECT_EQ(difference(), "");
}

TEST_F(OrderCheck, PlacesThatDifferByThemselvesAreLeftOut) {
  RunTrace repeated = usual_;
  repeated.output = "a\nsum 11\n";
  const Differences unsteady = differences_between(usual_, repeated);
  other_.output = "a\nsum 12\n";
  EXPECT_EQ(difference(unsteady), "");
  other_.output = "b\nsum 12\n";
  EXPECT_EQ(difference(unsteady), "line 1 of the output is \"b\" instead of \"a\"");
}

}  // namespace
}  // namespace cuset::execute
