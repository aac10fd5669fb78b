#include "judge/results/plan_record.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset {
namespace {

const Json kIdentity = {{"seed", 7}, {"executor", "cpu"}, {"trials", 5}, {"tasks_hash", "aa"}};

TEST(PlanRecord, TheFirstRunSaysWhatItIs) {
  const TemporaryFolder folder;
  EXPECT_EQ(seed_of_run(folder / "new"), std::nullopt);
  claim_folder(folder / "new", kIdentity, {{"command", "verify"}});
  EXPECT_EQ(seed_of_run(folder / "new"), 7u);
  const Json run = read_json_file(folder / "new/run.json");
  EXPECT_EQ(run["executor"], "cpu");
  EXPECT_EQ(run["command"], "verify");
}

TEST(PlanRecord, TheSameGoesOnAndKeepsWhatWasSaid) {
  const TemporaryFolder folder;
  claim_folder(folder.path(), kIdentity, {{"version", "1"}});
  claim_folder(folder.path(), kIdentity, {{"version", "2"}});
  EXPECT_EQ(read_json_file(folder / "run.json")["version"], "1");
}

TEST(PlanRecord, AnythingElseIsRefused) {
  const TemporaryFolder folder;
  claim_folder(folder.path(), kIdentity, {});
  for (const auto& [key, value] : {std::pair{"seed", Json(8)}, std::pair{"executor", Json("gpu")},
                                   std::pair{"tasks_hash", Json("bb")}}) {
    Json other = kIdentity;
    other[key] = value;
    const std::string error = error_of([&] { claim_folder(folder.path(), other, {}); });
    EXPECT_NE(error.find("holds verdicts of another run: " + std::string(key) + " is "), std::string::npos)
        << error;
    EXPECT_NE(error.find("choose another --output"), std::string::npos) << error;
  }
}

TEST(PlanRecord, OtherFoldersAreRefused) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "run.json", "{\"command\": \"train\"}");
  EXPECT_EQ(error_of([&] { claim_folder(folder.path(), kIdentity, {}); }),
            (folder / "run.json").string() + " is not of a verification (choose another --output)");
  EXPECT_THROW(seed_of_run(folder.path()), Error);
  const TemporaryFolder orphan;
  write_file_atomic(orphan / "verdicts.jsonl", "");
  EXPECT_NE(error_of([&] { claim_folder(orphan.path(), kIdentity, {}); }).find("run.json is missing, so it cannot be resumed"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset
