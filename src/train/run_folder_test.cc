#include "train/run_folder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "support/error_text.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

std::string complaint(const RunFolderChoice& choice) {
  try {
    prepare_run_folder(choice);
  } catch (const base::UsageError& error) {
    return error.one_line();
  }
  return "accepted";
}

TEST(RunFolder, EarlierRunIsRefusedResumedOrRemoved) {
  const base::TemporaryFolder folder;
  RunFolderChoice choice;
  choice.path = folder.path();
  EXPECT_EQ(complaint(choice), "accepted");
  base::write_file_atomic(folder / "notes.txt", "mine");
  EXPECT_EQ(complaint(choice), "accepted") << "other files are not a run";
  base::write_file_atomic(folder / "run.json", "{}");
  fs::create_directories(folder / "checkpoint-3");
  EXPECT_EQ(complaint(choice),
            folder.path().string() +
                " holds a run already (--resume resumes it, --overwrite-output-dir removes it, "
                "or choose another --output)");
  choice.resume = true;
  EXPECT_EQ(complaint(choice), "accepted");
  EXPECT_TRUE(fs::exists(folder / "run.json"));
  choice.resume = false;
  choice.overwrite = true;
  EXPECT_EQ(complaint(choice), "accepted");
  EXPECT_FALSE(fs::exists(folder / "run.json"));
  EXPECT_FALSE(fs::exists(folder / "checkpoint-3"));
  EXPECT_TRUE(fs::exists(folder / "notes.txt"));
}

TEST(RunFolder, LivingRunIsNotRemoved) {
  const base::TemporaryFolder folder;
  RunFolderChoice choice;
  choice.path = folder.path();
  choice.overwrite = true;
  base::write_file_atomic(folder / "run.json", "{}");
  {
    base::JsonlWriter alive(folder / "metrics.jsonl");
    EXPECT_NE(
        support::error_of([&] { prepare_run_folder(choice); }).find("another process is appending to it"),
        std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "run.json"));
  }
  prepare_run_folder(choice);
  EXPECT_FALSE(fs::exists(folder / "metrics.jsonl"));
}

TEST(RunFolder, ResumesFromTheLatestOrTheNamedCheckpoint) {
  const base::TemporaryFolder folder;
  RunFolderChoice choice;
  choice.path = folder.path();
  EXPECT_EQ(checkpoint_to_resume(choice), std::nullopt);
  choice.resume = true;
  EXPECT_EQ(checkpoint_to_resume(choice), std::nullopt) << "killed before the first checkpoint";
  for (const char* name : {"checkpoint-9", "checkpoint-10"}) {
    fs::create_directories(folder / name);
    base::write_file_atomic(folder / name / "checkpoint.json", "{}");
  }
  EXPECT_EQ(checkpoint_to_resume(choice), folder / "checkpoint-10");
  choice.resume_from = folder / "checkpoint-9";
  EXPECT_EQ(checkpoint_to_resume(choice), folder / "checkpoint-9");
}

TEST(RunFolder, PublishedModelReplacesTheOneBefore) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "adapter_config.json", "old");
  fs::create_directories(folder / "model.tmp");
  base::write_file_atomic(folder / "model.tmp" / "torn", "by a killed run");
  publish_model(folder.path(), [](const fs::path& path) {
    EXPECT_TRUE(fs::is_empty(path));
    base::write_file_atomic(path / "adapter_config.json", "new");
  });
  EXPECT_EQ(base::read_file(folder / "adapter_config.json"), "new");
  EXPECT_FALSE(fs::exists(folder / "model.tmp"));
  EXPECT_FALSE(fs::exists(folder / "torn"));
}

TEST(RunFolder, FilesAreDescribedBySizeAndChecksum) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "data.jsonl", "123456789");
  const base::Json described = describe_files({{folder / "data.jsonl"}});
  EXPECT_EQ(described[0]["bytes"], 9);
  EXPECT_EQ(described[0]["crc32c"], "e3069283") << "the check value of CRC-32C";
}

}  // namespace
}  // namespace cuset::train
