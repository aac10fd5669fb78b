#include "base/files/scratch_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::base {
namespace {

TEST(ScratchFile, IsMadeAndOverwritten) {
  const TemporaryFolder folder;
  write_scratch_file(folder / "a", "a longer text");
  write_scratch_file(folder / "a", "short");
  EXPECT_EQ(read_file(folder / "a"), "short");
}

TEST(ScratchFile, IsNeverWrittenThroughALink) {
  const TemporaryFolder folder;
  write_scratch_file(folder / "target", "kept");
  std::filesystem::create_symlink(folder / "target", folder / "link");
  EXPECT_THROW(write_scratch_file(folder / "link", "lost"), Error);
  EXPECT_EQ(read_file(folder / "target"), "kept");
}

TEST(ScratchFile, FullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_THROW(write_scratch_file("/dev/full", "x"), Error);
}

}  // namespace
}  // namespace cuset::base
