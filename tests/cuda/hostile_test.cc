// Hostile programs mixed with honest ones, four at a time: the honest results are right, no secret comes out,
// nothing is left behind, and we are alive at the end. As the user we are and, where that is root, once more
// as an ordinary one.
//
// Some of each family by default; HOSTILE=all runs every program. CUSET_TEST_EXECUTOR=gpu takes the GPU
// executor. HOSTILE_ONLY=processes/ runs the programs whose name begins so. HOSTILE_REPORT names a file for a
// table of all endings.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "base/error.h"
#include "base/stats/random.h"
#include "cuda/hostile_run.h"
#include "cuda/leftovers.h"
#include "sandbox/process.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kOrdinaryUser = 61184;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int workers() {
  const std::string wanted = variable("HOSTILE_WORKERS");
  return wanted.empty() ? 4 : std::stoi(wanted);
}

// "2/3": those with the numbers 1, 4, 7 ...
void take_part(const std::string& part, std::vector<TestProgram>& programs) {
  size_t first = 0, step = 0;
  if (std::sscanf(part.c_str(), "%zu/%zu", &first, &step) != 2 || first < 1 || first > step)
    throw base::Error("HOSTILE_PART={} is not a part", part).with_remedy("write it as 2/3");
  std::vector<TestProgram> taken;
  for (size_t i = first - 1; i < programs.size(); i += step) taken.push_back(programs[i]);
  programs = std::move(taken);
}

// In random order; the seed is printed.
std::vector<TestProgram> chosen_programs() {
  std::vector<TestProgram> programs = hostile_programs();
  const bool all = variable("HOSTILE") == "all";
  const std::string prefix = variable("HOSTILE_ONLY");
  if (!prefix.empty()) {
    std::erase_if(programs, [&](const TestProgram& program) { return !program.name.starts_with(prefix); });
  } else if (!all) {
    programs = some_of_each_family(programs, 45);
  }
  const std::vector<TestProgram> honest = honest_programs(all ? 50 : 10);
  programs.insert(programs.end(), honest.begin(), honest.end());
  if (const std::string part = variable("HOSTILE_PART"); !part.empty()) take_part(part, programs);
  const uint64_t seed = std::random_device()();
  std::cout << programs.size() << " programs, order by seed " << seed << std::endl;
  base::RandomStream(seed, "order of hostile programs").shuffle(std::span<TestProgram>(programs));
  return programs;
}

void write_table(const std::vector<ProgramReport>& reports, const std::string& file) {
  std::ofstream table(file);
  for (const ProgramReport& report : reports) {
    table << report.name << "\t" << report.ending << "\t" << fmt::format("{:.1f} s", report.seconds) << "\t"
          << (report.faults.empty() ? "" : base::in_quotes(report.faults, 300)) << "\n";
  }
}

// Before anything dangerous runs: attacks that do no harm if they succeed.
bool sandbox_holds(HostileRun& run) {
  const std::vector<TestProgram> programs = hostile_programs();
  constexpr std::pair<const char*, int> kHarmless[] = {
      {"kernel", 1}, {"secrets", 6}, {"limits", 2}, {"reach_out", 5}, {"reach_out", 13}};
  bool holds = true;
  for (const auto& [family, trick] : kHarmless) {
    const ProgramReport report = run.run(find_trick(programs, family, trick));
    EXPECT_EQ(report.faults, "") << report.name;
    holds = holds && report.faults.empty();
  }
  return holds;
}

TEST(HostilePrograms, LeaveNothingBehind) {
  std::unique_ptr<HostileRun> run;
  try {
    run = std::make_unique<HostileRun>(variable("CUSET_TEST_EXECUTOR"));
  } catch (const base::Error& error) {
    GTEST_SKIP() << "skipped: " << error.one_line();
  }
  adopt_orphans();
  const MachineState before = machine_state();
  ASSERT_TRUE(sandbox_holds(*run)) << "the rest would endanger this machine";

  const std::vector<ProgramReport> reports = run->run_all(chosen_programs(), workers());

  for (const ProgramReport& report : reports)
    EXPECT_EQ(report.faults, "") << report.name << " (" << report.ending << ")";
  EXPECT_EQ(run->faults(), "");
  EXPECT_EQ(state_differences(before, machine_state()), "");
  const std::string token = run->token();
  run.reset();  // its executors have processes of their own, which keep GPUs awake
  EXPECT_EQ(living_processes(token), "");
  if (const std::string file = variable("HOSTILE_REPORT"); !file.empty()) write_table(reports, file);
}

// That the driver can see an escape: without namespaces nothing hides the secrets.
TEST(HostilePrograms, AreNoticedWithoutConfinement) {
  std::unique_ptr<HostileRun> run;
  try {
    run = std::make_unique<HostileRun>(variable("CUSET_TEST_EXECUTOR"), sandbox::Confinement::kLimits);
  } catch (const base::Error& error) {
    GTEST_SKIP() << "skipped: " << error.one_line();
  }
  const std::vector<TestProgram> programs = hostile_programs();
  EXPECT_NE(run->run(find_trick(programs, "secrets", 1)).faults, "");
  EXPECT_NE(run->run(find_trick(programs, "compile", 7)).faults, "");
  EXPECT_EQ(run->faults(), "");
}

// setpriv --reuid=61184 --regid=61184 --clear-groups build/release/bin/cuda_hostile_test, with folders of its
// own.
TEST(HostilePrograms, LeaveNothingBehindAsOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "skipped: we are an ordinary user already";
  const base::TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  for (const char* name : {"tmp", "home"}) {
    fs::create_directory(folder / name);
    ASSERT_EQ(::chown((folder / name).c_str(), kOrdinaryUser, kOrdinaryUser), 0);
  }
  const std::string user = std::to_string(kOrdinaryUser);
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  std::vector<std::string> command{"env",
                                   "TMPDIR=" + (folder / "tmp").string(),
                                   "HOME=" + (folder / "home").string(),
                                   "setpriv",
                                   "--reuid=" + user,
                                   "--regid=" + user,
                                   "--clear-groups"};
  std::vector<std::string> reaches = command;
  reaches.insert(reaches.end(), {"test", "-x", program});
  if (!sandbox::run_process(reaches).succeeded())
    GTEST_SKIP() << "skipped: an ordinary user cannot execute " << program;
  command.insert(command.end(),
                 {program, "--gtest_filter=HostilePrograms.LeaveNothingBehind", "--gtest_brief=1"});
  const sandbox::ProcessResult result =
      sandbox::run_process(command, {.time_limit = std::chrono::minutes(20)});
  EXPECT_TRUE(result.succeeded()) << result.output;
  if (const size_t reason = result.output.find("skipped: "); reason != std::string::npos)
    GTEST_SKIP() << result.output.substr(reason, result.output.find('\n', reason) - reason);
  EXPECT_NE(result.output.find("[  PASSED  ] 1 test"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace cuset::tests
