#include "judge/results/plan_record.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::judge {
namespace {

const base::Json kIdentity = {{"seed", 7}, {"executor", "cpu"}, {"trials", 5}, {"tasks_hash", "aa"}};

TEST(PlanRecord, TheFirstRunSaysWhatItIs) {
  const base::TemporaryFolder folder;
  EXPECT_EQ(seed_of_run(folder / "new"), std::nullopt);
  claim_folder(folder / "new", kIdentity, {{"command", "verify"}});
  EXPECT_EQ(seed_of_run(folder / "new"), 7u);
  const base::Json run = base::read_json_file(folder / "new/run.json");
  EXPECT_EQ(run["executor"], "cpu");
  EXPECT_EQ(run["command"], "verify");
}

TEST(PlanRecord, TheSameGoesOnAndKeepsWhatWasSaid) {
  const base::TemporaryFolder folder;
  claim_folder(folder.path(), kIdentity, {{"version", "1"}});
  claim_folder(folder.path(), kIdentity, {{"version", "2"}});
  EXPECT_EQ(base::read_json_file(folder / "run.json")["version"], "1");
}

TEST(PlanRecord, AnythingElseIsRefused) {
  const base::TemporaryFolder folder;
  claim_folder(folder.path(), kIdentity, {});
  for (const auto& [key, value] : {std::pair{"seed", base::Json(8)}, std::pair{"executor", base::Json("gpu")},
                                   std::pair{"tasks_hash", base::Json("bb")}}) {
    base::Json other = kIdentity;
    other[key] = value;
    const std::string error = support::error_of([&] { claim_folder(folder.path(), other, {}); });
    EXPECT_NE(error.find("holds verdicts of another run: " + std::string(key) + " is "), std::string::npos)
        << error;
    EXPECT_NE(error.find("choose another --output"), std::string::npos) << error;
  }
}

TEST(PlanRecord, OtherFoldersAreRefused) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "run.json", "{\"command\": \"train\"}");
  EXPECT_EQ(support::error_of([&] { claim_folder(folder.path(), kIdentity, {}); }),
            (folder / "run.json").string() + " is not of a verification (choose another --output)");
  EXPECT_THROW(seed_of_run(folder.path()), base::Error);
  const base::TemporaryFolder orphan;
  base::write_file_atomic(orphan / "verdicts.jsonl", "");
  EXPECT_NE(support::error_of([&] {
              claim_folder(orphan.path(), kIdentity, {});
            }).find("run.json is missing, so it cannot be resumed"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::judge
