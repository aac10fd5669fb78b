#include "train/records/checkpoint_folder.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "support/error_text.h"
#include "support/fault_injection.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

Names names_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void write_plain(const fs::path& path, std::string_view content) { base::write_file_atomic(path, content); }

// A checkpoint of two files, one of them in a folder of its own, that say `content`.
fs::path save(CheckpointFolder& folder, int64_t step, const std::string& content = "weights") {
  return folder.save(step, [&](const fs::path& path) {
    write_plain(path / "model.bin", content);
    fs::create_directory(path / "deep");
    write_plain(path / "deep/state", content);
  });
}

class CheckpointFolderTest : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::kWarning); }
  void TearDown() override { base::set_log_level(base::LogLevel::kInfo); }

  Names names() const { return names_in(folder_.path()); }
  std::string place(std::string_view name) const { return (folder_ / name).string(); }

  base::TemporaryFolder folder_;
};

TEST_F(CheckpointFolderTest, SavesFilesAndManifest) {
  CheckpointFolder folder(folder_.path());
  EXPECT_EQ(save(folder, 20), folder_ / "checkpoint-20");
  EXPECT_EQ(names_in(folder_ / "checkpoint-20"), (Names{"checkpoint.json", "deep", "model.bin"}));
  const base::Json manifest = base::read_json_file(folder_ / "checkpoint-20/checkpoint.json");
  EXPECT_EQ(base::to_json_line(manifest),
            R"({"format":1,"step":20,"files":[{"name":"deep/state","bytes":7,"crc32c":"923eaa45"},)"
            R"({"name":"model.bin","bytes":7,"crc32c":"923eaa45"}]})");
  EXPECT_EQ(verify_checkpoint(folder_ / "checkpoint-20"), 20);
}

TEST_F(CheckpointFolderTest, LatestIsByNumber) {
  EXPECT_FALSE(latest_checkpoint(folder_ / "none"));
  CheckpointFolder folder(folder_.path());
  EXPECT_FALSE(latest_checkpoint(folder_.path()));
  for (const int64_t step : {9, 100, 20}) save(folder, step);
  fs::create_directory(folder_ / "checkpoint-500");   // no manifest: not ours, or copied half
  fs::create_directory(folder_ / "checkpoint-0700");  // not a name we give
  fs::create_directory(folder_ / "checkpoint-900-best");
  EXPECT_EQ(latest_checkpoint(folder_.path())->path, folder_ / "checkpoint-100");
  EXPECT_EQ(checkpoints_of(folder_.path()).size(), 3u);
}

TEST_F(CheckpointFolderTest, SameStepIsReplaced) {
  CheckpointFolder folder(folder_.path());
  save(folder, 5, "old");
  save(folder, 5, "new");
  EXPECT_EQ(base::read_file(folder_ / "checkpoint-5/model.bin"), "new");
  EXPECT_EQ(names(), Names{"checkpoint-5"});
  EXPECT_EQ(verify_checkpoint(folder_ / "checkpoint-5"), 5);
}

TEST_F(CheckpointFolderTest, FailedWriterLeavesNothing) {
  CheckpointFolder folder(folder_.path());
  save(folder, 5, "old");
  EXPECT_THROW(folder.save(5,
                           [](const fs::path& path) {
                             write_plain(path / "half", "x");
                             throw base::Error("the disk is full");
                           }),
               base::Error);
  EXPECT_EQ(names(), Names{"checkpoint-5"});
  EXPECT_EQ(base::read_file(folder_ / "checkpoint-5/model.bin"), "old");
}

TEST_F(CheckpointFolderTest, KeepsTheNewestAndTheBest) {
  CheckpointFolder folder(folder_.path());
  for (int64_t step = 1; step <= 12; ++step) save(folder, step);
  folder.remove_old(0);
  EXPECT_EQ(names().size(), 12u);
  folder.remove_old(2, 4);
  EXPECT_EQ(names(), (Names{"checkpoint-11", "checkpoint-12", "checkpoint-4"}));
  folder.remove_old(5, 4);
  EXPECT_EQ(names().size(), 3u);
  folder.remove_old(1);
  EXPECT_EQ(names(), Names{"checkpoint-12"});
}

TEST_F(CheckpointFolderTest, LaterCheckpointsAreSetAside) {
  CheckpointFolder folder(folder_.path());
  for (int round = 0; round < 2; ++round) {
    for (const int64_t step : {10, 20}) save(folder, step);
    folder.set_aside_behind(10);
  }
  EXPECT_EQ(names(), (Names{"checkpoint-10", "checkpoint-20.replaced", "checkpoint-20.replaced-2"}));
  EXPECT_EQ(latest_checkpoint(folder_.path())->step, 10);
}

TEST_F(CheckpointFolderTest, LeftoversAreRemovedAtTheNextStart) {
  fs::create_directories(folder_ / "checkpoint-7.tmp-0123456789abcdef/deep");
  fs::create_directory(folder_ / "checkpoint-7.tmp-old");
  fs::create_directory(folder_ / "notes.tmp-0123456789abcdef");
  const CheckpointFolder folder(folder_.path());
  EXPECT_EQ(names(), (Names{"checkpoint-7.tmp-old", "notes.tmp-0123456789abcdef"}));
}

TEST_F(CheckpointFolderTest, TemporaryOfALivingWriterStays) {
  CheckpointFolder folder(folder_.path());
  folder.save(3, [&](const fs::path& path) {
    write_plain(path / "a", "x");
    const CheckpointFolder other(folder_.path());
    EXPECT_TRUE(fs::exists(path / "a"));
  });
  EXPECT_EQ(verify_checkpoint(folder_ / "checkpoint-3"), 3);
}

TEST_F(CheckpointFolderTest, DamageIsNamedWithTheCheckpointBefore) {
  CheckpointFolder folder(folder_.path());
  for (const int64_t step : {8, 9, 10}) save(folder, step);
  const auto damage = [&](const std::string& file, const char* content) {
    save(folder, 10);
    if (content == nullptr) {
      fs::remove(folder_ / ("checkpoint-10/" + file));
    } else {
      write_plain(folder_ / ("checkpoint-10/" + file), content);
    }
    return support::error_of([&] { verify_checkpoint(folder_ / "checkpoint-10"); });
  };
  const std::string start = place("checkpoint-10/");
  const std::string remedy = " (resume from the one before it, " + place("checkpoint-9") + ")";
  EXPECT_EQ(damage("model.bin", "weigh"),
            start + "model.bin is damaged: it has 5 bytes, but 7 were written" + remedy);
  EXPECT_EQ(damage("deep/state", "weighty"),
            start + "deep/state is damaged: its checksum is f9dc827d, but \"923eaa45\" was written" + remedy);
  EXPECT_EQ(damage("model.bin", nullptr), start + "model.bin is damaged: it is missing" + remedy);
  EXPECT_TRUE(
      damage("checkpoint.json", "{\"format\":1,").starts_with(start + "checkpoint.json is damaged: "));
  EXPECT_EQ(
      damage("checkpoint.json", nullptr),
      place("checkpoint-10") +
          " is not a checkpoint: it has no checkpoint.json (name a folder checkpoint-<step> that cuset train "
          "wrote)");
}

TEST_F(CheckpointFolderTest, HostileManifestsAreRefused) {
  CheckpointFolder folder(folder_.path());
  const std::string manifest = (save(folder, 1) / "checkpoint.json").string();
  const auto verdict = [&](const char* content) {
    write_plain(manifest, content);
    return support::error_of([&] { verify_checkpoint(folder_ / "checkpoint-1"); });
  };
  const std::string other = " (resume from another checkpoint)";
  const std::string first = " (there is no checkpoint before it: start the run again)";
  EXPECT_EQ(verdict("[]"), manifest + ": the top level must be an object, found a list" + other);
  EXPECT_EQ(verdict(R"({"format": 2})"),
            manifest +
                " has the format 2, but this program reads 1 (resume with the version of cuset that wrote "
                "it)");
  EXPECT_EQ(verdict(R"({"format": 1, "files": {}})"),
            manifest + ": field 'files' must be a list, found an object" + other);
  EXPECT_EQ(verdict(R"({"format": 1, "files": [7]})"),
            manifest + ": field 'files[0]' must be an object, found the number 7" + other);
  EXPECT_EQ(
      verdict(R"({"format": 1, "files": [{"name": "a", "bytes": -1, "crc32c": ""}]})"),
      manifest + ": field 'files[0].bytes' must be a whole number of 0 or more, found the number -1" + other);
  EXPECT_EQ(verdict(R"({"format": 1, "files": [{"name": "../../x", "bytes": 1, "crc32c": ""}]})"),
            manifest + " is damaged: it names the file \"../../x\"" + first);
  EXPECT_EQ(verdict(R"({"format": 1, "files": [{"name": "/etc/passwd", "bytes": 1, "crc32c": ""}]})"),
            manifest + " is damaged: it names the file \"/etc/passwd\"" + first);
  EXPECT_EQ(verdict(R"({"format": 1, "files": []})"), manifest + ": field 'step' is missing" + other);
}

// Writes, replaces and removes checkpoints in a loop. Whenever the loop is killed, every checkpoint under its
// own name is complete, and none that was finished before the kill is lost.
TEST_F(CheckpointFolderTest, KillAtAnyMomentLeavesTheLatestComplete) {
  int64_t finished = 0;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    support::kill_at_random_moment(
        [&](const std::function<void()>& begun) {
          CheckpointFolder folder(folder_.path());
          save(folder, finished + 1);
          begun();
          for (int64_t step = finished + 1;; ++step) {
            save(folder, step, std::string(static_cast<size_t>(step % 7) * 20000, 'w'));
            folder.remove_old(2);
          }
        },
        seed, 60000);
    const std::vector<FoundCheckpoint> found = checkpoints_of(folder_.path());
    ASSERT_FALSE(found.empty());
    for (const FoundCheckpoint& checkpoint : found)
      EXPECT_EQ(verify_checkpoint(checkpoint.path), checkpoint.step);
    EXPECT_GT(found.back().step, finished);
    finished = found.back().step;
  }
  const CheckpointFolder folder(folder_.path());
  for (const std::string& name : names()) EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name;
}

TEST_F(CheckpointFolderTest, FullDiskKeepsTheOldCheckpoint) {
  const auto said = support::run_on_small_disk(folder_.path(), 1 << 20, [&]() -> std::string {
    CheckpointFolder folder(folder_.path());
    save(folder, 1, std::string(200000, 'a'));
    const std::string error = support::error_of([&] { save(folder, 2, std::string(500000, 'b')); });
    if (error.find("No space left on device") == std::string::npos) return "wrong error: " + error;
    if (names_in(folder_.path()) != Names{"checkpoint-1"}) return "something was left";
    return verify_checkpoint(folder_ / "checkpoint-1") == 1 ? "" : "wrong step";
  });
  if (!said) GTEST_SKIP() << "cannot mount a small disk here";
  EXPECT_EQ(*said, "");
}

}  // namespace
}  // namespace cuset::train
