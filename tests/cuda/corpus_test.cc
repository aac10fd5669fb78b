// Every program of testdata/cuda/corpus, compiled and run by one of our executors: each compares what its
// kernels computed with values it computed itself on the host, and says PASS.
//
//   CUSET_TEST_EXECUTOR=cpu|gpu   the executor (default: cpu); tests are skipped where the machine lacks it
//   CHECK=1                       build with the checks of --check, which must find nothing
//
// The programs chosen by --gtest_filter run side by side, as many as the machine has cores; each test waits
// for its own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <ostream>
#include <thread>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "cuda/corpus_program.h"
#include "execute/build/cccl.h"
#include "execute/executor.h"

namespace cuset::tests {

// What GoogleTest shows of a parameter.
static void PrintTo(const CorpusProgram& program, std::ostream* out) { *out << program.file.string(); }

namespace {

constexpr const char* kCorpus = "testdata/cuda/corpus";

bool checked() {
  const char* value = std::getenv("CHECK");
  return value && std::string_view(value) == "1";
}

std::string_view executor_name() {
  const char* chosen = std::getenv("CUSET_TEST_EXECUTOR");
  return chosen && *chosen ? chosen : "cpu";
}

bool lacks_library(const CorpusProgram& program) {
  static const bool has_cccl = execute::find_cccl().has_value();
  return (program.needs_cccl && !has_cccl) || (program.needs_cpu_executor && executor_name() != "cpu");
}

std::unique_ptr<execute::Executor> make_executor() {
  const std::string_view name = executor_name();
  execute::ExecutorSettings settings;
  settings.cache = CUSET_TEST_CACHE;
  if (name == "cpu") return execute::make_cpu_executor(settings);
  if (name == "gpu") return execute::make_gpu_executor(settings);
  throw base::UsageError("CUSET_TEST_EXECUTOR={}: no such executor", name).with_remedy("cpu or gpu");
}

struct Trial {
  execute::Build build;
  execute::Run run;
};

Trial try_program(execute::Executor& executor, const CorpusProgram& program) {
  Trial trial;
  execute::BuildOptions options;
  options.check = checked();
  options.relocatable = program.relocatable;
  options.libraries = program.libraries;
  trial.build = executor.build(program.file, options);
  if (!trial.build.done()) return trial;
  const base::TemporaryFolder folder;
  execute::RunOptions run_options;
  run_options.folder = folder.path();
  trial.run = executor.run(trial.build, run_options);
  return trial;
}

// Runs the programs on all cores; a trial that threw throws again for whoever asks for it.
class Trials {
 public:
  Trials(execute::Executor& executor, const std::vector<CorpusProgram>& programs) : programs_(programs) {
    for (const CorpusProgram& program : programs_)
      trials_[program.name] = promises_[program.name].get_future().share();
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers_.emplace_back([this, &executor] { work(executor); });
  }
  ~Trials() {
    for (std::thread& worker : workers_) worker.join();
  }

  const Trial& of(const CorpusProgram& program) const { return trials_.at(program.name).get(); }

 private:
  void work(execute::Executor& executor) {
    for (size_t i = next_++; i < programs_.size(); i = next_++) {
      std::promise<Trial>& promise = promises_.at(programs_[i].name);
      try {
        promise.set_value(try_program(executor, programs_[i]));
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    }
  }

  std::vector<CorpusProgram> programs_;
  std::map<std::string, std::promise<Trial>> promises_;
  std::map<std::string, std::shared_future<Trial>> trials_;
  std::atomic<size_t> next_{0};
  std::vector<std::thread> workers_;
};

std::string findings_text(const execute::Run& run) {
  std::string text;
  for (const execute::RunFinding& finding : run.findings)
    text += fmt::format("{} in {} at {}:{}: {}\n", finding.kind, finding.kernel, finding.file, finding.line,
                        finding.text);
  return text;
}

uint64_t launches(const execute::Run& run) {
  uint64_t count = 0;
  for (const execute::KernelLaunches& kernel : run.kernels) count += kernel.launches;
  return count;
}

class Corpus : public testing::TestWithParam<CorpusProgram> {
 protected:
  static void SetUpTestSuite() {
    try {
      executor_ = make_executor();
    } catch (const base::UsageError&) {
      throw;
    } catch (const base::Error& error) {
      absent_ = error.one_line();
      return;
    }
    trials_ = std::make_unique<Trials>(*executor_, chosen_programs());
  }
  static void TearDownTestSuite() {
    trials_.reset();
    executor_.reset();
  }
  void SetUp() override {
    if (!executor_) GTEST_SKIP() << "skipped: no executor here: " << absent_;
    if (checked() && !GetParam().skip_check.empty()) GTEST_SKIP() << "skipped: " << GetParam().skip_check;
    if (lacks_library(GetParam())) GTEST_SKIP() << "skipped: no CCCL here, or not for a GPU";
  }

  static inline std::unique_ptr<execute::Executor> executor_;
  static inline std::unique_ptr<Trials> trials_;

 private:
  // Those that the filter lets through and the mode can judge.
  static std::vector<CorpusProgram> chosen_programs() {
    const testing::TestSuite& suite = *testing::UnitTest::GetInstance()->current_test_suite();
    std::vector<CorpusProgram> chosen;
    for (CorpusProgram& program : read_corpus(kCorpus))
      for (int i = 0; i < suite.total_test_count(); ++i) {
        const testing::TestInfo& test = *suite.GetTestInfo(i);
        if (!test.should_run() || !std::string_view(test.name()).ends_with("/" + program.name)) continue;
        if ((checked() && !program.skip_check.empty()) || lacks_library(program)) continue;
        chosen.push_back(std::move(program));
        break;
      }
    return chosen;
  }

  static inline std::string absent_;
};

TEST_P(Corpus, GivesTheValuesItComputedOnTheHost) {
  const CorpusProgram& program = GetParam();
  const auto& [build, run] = trials_->of(program);
  ASSERT_TRUE(build.done()) << build.messages;
  const bool reported = program.provokes_errors && run.outcome == execute::Run::Outcome::kLaunchError;
  EXPECT_TRUE(run.outcome == execute::Run::Outcome::kDone || reported)
      << static_cast<int>(run.outcome) << ": " << run.explanation;
  EXPECT_TRUE(run.process.succeeded()) << run.process.errors;
  EXPECT_EQ(run.process.output, program.output);
  EXPECT_EQ(launches(run) > 0, program.launches_kernels) << launches(run) << " launches";
  EXPECT_TRUE(!checked() || run.findings.empty()) << findings_text(run);
}

std::vector<CorpusProgram> corpus_or_none() {
  return std::filesystem::is_directory(kCorpus) ? read_corpus(kCorpus) : std::vector<CorpusProgram>();
}

INSTANTIATE_TEST_SUITE_P(Programs, Corpus, testing::ValuesIn(corpus_or_none()),
                         [](const auto& test) { return test.param.name; });

TEST(CorpusFolder, HoldsProgramsForEachConstruct) {
  const std::vector<CorpusProgram> programs = read_corpus(kCorpus);
  EXPECT_GE(programs.size(), 140u);
  for (size_t i = 1; i < programs.size(); ++i) EXPECT_NE(programs[i - 1].name, programs[i].name);
}

TEST(CorpusProgram, DirectivesStandInTheOpeningComment) {
  struct {
    const char* text;
    CorpusProgram wanted;
  } rows[] = {
      {"// Aimed at nothing.\nint main() {}\n", {{}, "", "PASS\n", true, false, "", false}},
      {"// Speaks.\n// expect: one  two\n// expect:\n// expect: 3\n",
       {{}, "", "one  two\n\n3\n", true, false, "", false}},
      {"// Quiet.\n// kernels: 0\n// errors: on purpose\n", {{}, "", "PASS\n", false, true, "", false}},
      {"// Wrong.\n// check: skip it races\n", {{}, "", "PASS\n", true, false, "it races", false}},
      {"// A comment.\n\n// kernels: 0\n", {{}, "", "PASS\n", true, false, "", false}},
      {"", {{}, "", "PASS\n", true, false, "", false}},
      {"// Deep.\n// nvcc: -rdc=true\n", {{}, "", "PASS\n", true, false, "", true}},
      {"// Sorts.\n// needs: CCCL\n", {{}, "", "PASS\n", true, false, "", false, true}},
      {"// Multiplies.\n// needs: cuBLAS\n// needs: cuSPARSE\n",
       {{}, "", "PASS\n", true, false, "", false, false, false, {"cublas", "cusparse"}}},
      {"// Calls back.\n// needs: CPU executor\n", {{}, "", "PASS\n", true, false, "", false, false, true}},
  };
  for (const auto& [text, wanted] : rows) {
    CorpusProgram program;
    read_directives(text, program);
    EXPECT_EQ(program.output, wanted.output) << text;
    EXPECT_EQ(program.launches_kernels, wanted.launches_kernels) << text;
    EXPECT_EQ(program.provokes_errors, wanted.provokes_errors) << text;
    EXPECT_EQ(program.skip_check, wanted.skip_check) << text;
    EXPECT_EQ(program.relocatable, wanted.relocatable) << text;
    EXPECT_EQ(program.needs_cccl, wanted.needs_cccl) << text;
    EXPECT_EQ(program.needs_cpu_executor, wanted.needs_cpu_executor) << text;
    EXPECT_EQ(program.libraries, wanted.libraries) << text;
  }
}

TEST(CorpusProgram, UnknownDirectiveValuesAreRefused) {
  for (const char* text : {"// kernels: 2\n", "// errors: some\n", "// check: later\n", "// check: skip \n",
                           "// nvcc: -w\n", "// needs: more\n"}) {
    CorpusProgram program;
    EXPECT_THROW(read_directives(text, program), base::Error) << text;
  }
}

}  // namespace
}  // namespace cuset::tests
