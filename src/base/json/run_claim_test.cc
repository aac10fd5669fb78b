#include "base/json/run_claim.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::base {
namespace {

TEST(RunClaim, FirstRunIsWrittenDownAndTheSameGoesOn) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "new" / "run.json";
  claim_run(file, {{"seed", 7}, {"top_p", 0.95}}, {{"version", "1"}}, "answers");
  claim_run(file, {{"seed", 7}, {"top_p", 0.95}}, {{"version", "2"}}, "answers");
  EXPECT_EQ(read_json_file(file), (Json{{"seed", 7}, {"top_p", 0.95}, {"version", "1"}}));
}

TEST(RunClaim, FolderThatCannotBeMadeHasARemedy) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "file", "x");
  EXPECT_EQ(
      support::error_of([&] { claim_run(folder / "file/run/run.json", {{"seed", 7}}, nullptr, "answers"); }),
      "cannot make the folder " + (folder / "file/run").string() + ": Not a directory (check the path)");
}

TEST(RunClaim, AnotherRunIsRefusedByItsFirstDifference) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.json";
  claim_run(file, {{"seed", 7}, {"top_p", 0.95}}, nullptr, "answers");
  EXPECT_EQ(support::error_of([&] { claim_run(file, {{"seed", 7}, {"top_p", 1.0}}, nullptr, "answers"); }),
            folder.path().string() + " holds answers of another run: top_p is 0.95 there, now 1.0 " +
                "(choose another --output, or use the same settings as that run)");
  EXPECT_NE(support::error_of([&] {
              claim_run(file, {{"model", "a"}}, nullptr, "answers");
            }).find("model is missing there, now \"a\" (choose"),
            std::string::npos);
  write_file_atomic(file, "[]");
  EXPECT_NE(support::error_of([&] {
              claim_run(file, {{"seed", 7}}, nullptr, "answers");
            }).find("seed is missing there"),
            std::string::npos);
}

TEST(RunClaim, ResultsWithoutARecordAreRefused) {
  const TemporaryFolder folder;
  refuse_unclaimed(folder / "verdicts.jsonl", folder / "run.json");
  write_file_atomic(folder / "verdicts.jsonl", "");
  EXPECT_EQ(support::error_of([&] { refuse_unclaimed(folder / "verdicts.jsonl", folder / "run.json"); }),
            (folder / "verdicts.jsonl").string() +
                " exists, but run.json is missing, so it cannot be resumed (choose another --output)");
  write_file_atomic(folder / "run.json", "{}");
  refuse_unclaimed(folder / "verdicts.jsonl", folder / "run.json");
}

}  // namespace
}  // namespace cuset::base
