#include "judge/data_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;
using State = OutputFile::State;

class DataFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "data"); }
  base::TemporaryFolder folder_;
};

TEST_F(DataFiles, InputsAreLaidDownAsTheyAre) {
  const tasks::Array values = tasks::Array::from_doubles(tasks::NumberType::kInt32, {2}, {1, -2});
  const base::TemporaryFolder folder;
  write_inputs(folder.path(), {{"x", tasks::NumberType::kInt32, {2}, {}}}, {values});
  const OutputFile file = read_output(folder.path(), "data/x.bin", 100);
  EXPECT_EQ(file.state, State::kWhole);
  EXPECT_EQ(file.bytes, values.bytes);
}

TEST_F(DataFiles, WhatWasNotWrittenIsAbsent) {
  EXPECT_EQ(read_output(folder_.path(), "data/y.bin", 100).state, State::kAbsent);
  fs::remove(folder_ / "data");
  EXPECT_EQ(read_output(folder_.path(), "data/y.bin", 100).state, State::kAbsent);
}

TEST_F(DataFiles, LinksAreNotFollowed) {
  base::write_file_atomic(folder_ / "secret", "1234");
  fs::create_symlink(folder_ / "secret", folder_ / "data/y.bin");
  EXPECT_EQ(read_output(folder_.path(), "data/y.bin", 100).state, State::kNotAFile);
  fs::create_directories(folder_ / "elsewhere");
  base::write_file_atomic(folder_ / "elsewhere/y.bin", "1234");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "linked");
  EXPECT_EQ(read_output(folder_.path(), "linked/y.bin", 100).state, State::kNotAFile);
}

TEST_F(DataFiles, PipesAndFoldersAreNoFiles) {
  ASSERT_EQ(::mkfifo((folder_ / "data/y.bin").c_str(), 0600), 0);
  EXPECT_EQ(read_output(folder_.path(), "data/y.bin", 100).state, State::kNotAFile);
  fs::create_directories(folder_ / "data/z.bin");
  EXPECT_EQ(read_output(folder_.path(), "data/z.bin", 100).state, State::kNotAFile);
}

TEST_F(DataFiles, NothingTooLargeIsRead) {
  base::write_file_atomic(folder_ / "data/y.bin", "12345");
  fs::resize_file(folder_ / "data/y.bin", 1ull << 40);  // sparse
  const OutputFile file = read_output(folder_.path(), "data/y.bin", 4);
  EXPECT_EQ(file.state, State::kTooLarge);
  EXPECT_EQ(file.size, 1ull << 40);
  EXPECT_TRUE(file.bytes.empty());
}

}  // namespace
}  // namespace cuset::judge
