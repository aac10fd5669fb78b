// Planted bugs and clean programs under --check: testdata/cuda/bugs/<kind>/<name>.cu compiled and run by the
// CPU executor, the findings compared with the marks in the program; see testdata/cuda/bugs/README.md. One
// test per program, so that --gtest_filter=*transpose* runs one of them and shards spread them over the
// cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "cuda/expected_findings.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

using ProgramRun = execute::Run;  // testing::Test has a Run of its own

constexpr const char* kPrograms = "testdata/cuda/bugs";

std::vector<std::string> programs(bool clean) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kPrograms)) {
    const std::filesystem::path name = std::filesystem::relative(entry.path(), kPrograms);
    if (name.extension() == ".cu" && (*name.begin() == "clean") == clean) names.push_back(name.string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).replace_extension().string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

class CheckedProgram : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() { made_ = make_test_executor(); }
  static void TearDownTestSuite() { made_.executor.reset(); }

  void SetUp() override {
    if (!made_.executor) GTEST_SKIP() << "skipped: no executor here: " << made_.absent;
  }

  std::filesystem::path source() const { return std::filesystem::path(kPrograms) / GetParam(); }

  // Nothing, and the test has failed, where the program cannot be built.
  std::optional<ProgramRun> run(int schedules) {
    execute::BuildOptions options;
    options.check = true;
    const execute::Build build = made_.executor->build(source(), options);
    if (!build.done()) {
      ADD_FAILURE() << source().string() << " was not built:\n" << build.messages;
      return std::nullopt;
    }
    execute::RunOptions run_options;
    run_options.folder = folder_.path();
    run_options.schedules = schedules;
    run_options.limits.wall_time = std::chrono::seconds(30);
    run_options.limits.memory = 2ull << 30;
    return made_.executor->run(build, run_options);
  }

  void expect_findings(const ProgramRun& run) const {
    const std::vector<FindingMark> marks = read_finding_marks(base::read_file(source()), source());
    const std::string differences = finding_differences(marks, run.findings, source());
    EXPECT_EQ(differences, "") << source().string() << "\n"
                               << differences << "  it ended so: " << run.explanation << "\n"
                               << run.process.errors;
  }

 private:
  static inline TestExecutor made_;
  base::TemporaryFolder folder_;
};

class PlantedBug : public CheckedProgram {};
class CleanProgram : public CheckedProgram {};

TEST_P(PlantedBug, IsFoundAtItsLine) {
  const std::optional<ProgramRun> run = this->run(1);
  if (!run) return;
  // The programs end by themselves with status 0 whatever the kernel did.
  EXPECT_TRUE(run->outcome == ProgramRun::Outcome::kDone || run->outcome == ProgramRun::Outcome::kLaunchError)
      << source().string() << ": " << run->explanation;
  expect_findings(*run);
}

// Clean programs check their own results. Three orders of threads: no order may bring up a finding.
TEST_P(CleanProgram, HasNoFinding) {
  const std::optional<ProgramRun> run = this->run(3);
  if (!run) return;
  EXPECT_EQ(run->outcome, ProgramRun::Outcome::kDone) << source().string() << ": " << run->explanation << "\n"
                                                      << run->process.output << run->process.errors;
  expect_findings(*run);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBug, testing::ValuesIn(programs(false)), test_name);
INSTANTIATE_TEST_SUITE_P(All, CleanProgram, testing::ValuesIn(programs(true)), test_name);

}  // namespace
}  // namespace cuset::tests
