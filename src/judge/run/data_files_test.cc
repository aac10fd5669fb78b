#include "judge/run/data_files.h"

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

class OneTrial : public testing::Test {
 protected:
  static tasks::Task task_with(std::vector<std::string> outputs) {
    tasks::Task task;
    task.inputs.push_back({"x", tasks::NumberType::kInt32, {2}, {}});
    for (std::string& name : outputs) task.outputs.push_back({std::move(name), {}, {2}, {}});
    return task;
  }

  base::TemporaryFolder folder_;
  const fs::path path_ = folder_ / "trial0";
  const std::vector<tasks::Array> inputs_ = {
      tasks::Array::from_doubles(tasks::NumberType::kInt32, {2}, {1, -2})};
};

TEST_F(OneTrial, InputsAreLaidDownAsTheyAreAndNotWritable) {
  const tasks::Task task = task_with({"y"});
  const TrialFolder trial(path_, task, inputs_);
  const OutputFile file = trial.read("data/x.bin", 100);
  EXPECT_EQ(file.state, State::kWhole);
  EXPECT_EQ(file.bytes, inputs_[0].bytes);
  EXPECT_EQ(fs::status(path_ / "data/x.bin").permissions() & fs::perms::owner_write, fs::perms::none);
  EXPECT_EQ(trial.changed_input(), "");
  EXPECT_TRUE(trial.is_in_place());
}

TEST_F(OneTrial, ChangedMovedAndLinkedInputsAreSeen) {
  const tasks::Task task = task_with({"y"});
  for (const std::string content : {"", "12345678", "123456789"}) {
    fs::remove_all(path_);
    const TrialFolder trial(path_, task, inputs_);
    fs::remove(path_ / "data/x.bin");
    if (!content.empty()) base::write_file_atomic(path_ / "data/x.bin", content);
    EXPECT_EQ(trial.changed_input(), "x") << content;
  }
  fs::remove_all(path_);
  const TrialFolder trial(path_, task, inputs_);
  fs::rename(path_ / "data/x.bin", path_ / "data/kept.bin");
  fs::create_symlink("kept.bin", path_ / "data/x.bin");
  EXPECT_EQ(trial.changed_input(), "x");
}

TEST_F(OneTrial, AnInputThatIsAnOutputMayChange) {
  const tasks::Task task = task_with({"x"});
  const TrialFolder trial(path_, task, inputs_);
  base::write_file_atomic(path_ / "data/x.bin", "12345678");
  EXPECT_EQ(trial.changed_input(), "");
}

TEST_F(OneTrial, WhatIsPutInPlaceOfTheFolderIsNotLookedAt) {
  const tasks::Task task = task_with({"y"});
  const TrialFolder trial(path_, task, inputs_);
  base::write_file_atomic(path_ / "data/y.bin", "own");
  fs::create_directories(folder_ / "planted/data");
  base::write_file_atomic(folder_ / "planted/data/y.bin", "secret");
  fs::rename(path_, folder_ / "gone");
  fs::create_directory_symlink(folder_ / "planted", path_);
  EXPECT_EQ(trial.read("data/y.bin", 100).size, 3u);
  EXPECT_FALSE(trial.is_in_place());
  EXPECT_EQ(read_output(path_, "data/y.bin", 100).state, State::kNotAFile);
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
