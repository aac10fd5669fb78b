// cuset report as a user runs it; tests/report clicks through what it draws.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "e2e/program.h"

namespace cuset::tests {
namespace {

TEST(ReportCommand, DrawsARunAndSaysWhere) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "verdicts.jsonl",
                          "{\"task\":\"saxpy\",\"sample\":0,\"word\":\"correct\"}\n");
  const sandbox::ProcessResult result = run_cuset({"report", folder.path().string()});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, (folder / "report.html").string())) << result.output;
  EXPECT_TRUE(has(base::read_file(folder / "report.html"), "saxpy"));
}

TEST(ReportCommand, OutputIsAPageOrTheFolderOfOne) {
  const base::TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  std::filesystem::create_directories(folder / "run");
  std::filesystem::create_directories(folder / "pages");
  base::write_file_atomic(folder / "run/verdicts.jsonl", "{\"task\":\"saxpy\",\"word\":\"correct\"}\n");
  for (const char* output : {"one.html", "pages"})
    EXPECT_EQ(run_cuset({"report", run, "--output", (folder / output).string()}).exit_status, 0);
  EXPECT_EQ(base::read_file(folder / "one.html"), base::read_file(folder / "pages/report.html"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/report.html"));
  const sandbox::ProcessResult two = run_cuset({"report", run, run, "--output", "page.html"});
  EXPECT_EQ(two.exit_status, 2);
  EXPECT_TRUE(has(two.output, "--output names one page, but there are 2 folders")) << two.output;
}

TEST(ReportCommand, SaysWhatItNeeds) {
  const base::TemporaryFolder folder;
  const sandbox::ProcessResult empty = run_cuset({"report", folder.path().string()});
  EXPECT_EQ(empty.exit_status, 1);
  EXPECT_TRUE(has(empty.output, "nothing to report on")) << empty.output;
  const sandbox::ProcessResult none = run_cuset({"report"});
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_TRUE(has(none.output, "no folder given")) << none.output;
}

}  // namespace
}  // namespace cuset::tests
