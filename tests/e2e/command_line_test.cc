// The cuset program as a user runs it: output, exit status, messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "e2e/program.h"

namespace cuset::tests {
namespace {

TEST(CommandLine, HelpListsCommandsAndSucceeds) {
  const sandbox::ProcessResult result = run_cuset({"--help"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_NE(result.output.find("doctor"), std::string::npos);
}

TEST(CommandLine, EveryCommandShowsExamples) {
  const sandbox::ProcessResult result = run_cuset({"doctor", "--help"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_NE(result.output.find("Examples:\n  cuset doctor\n"), std::string::npos) << result.output;
}

TEST(CommandLine, HelpShowsTheFlagOfASwitchThatIsOfUse) {
  const std::string help = run_cuset({"train", "--help"}).output;
  EXPECT_NE(help.find("--packing "), std::string::npos) << help;
  EXPECT_EQ(help.find("--no-packing"), std::string::npos) << help;
  EXPECT_EQ(help.find("--overwrite-cache"), std::string::npos) << "changes nothing, and is not shown";
  EXPECT_NE(help.find("--cuda-mask,--no-cuda-mask "), std::string::npos) << help;
  EXPECT_NE(help.find("CuSeT, CuSeT+ on request: use the CUDA mask (on by default)"), std::string::npos)
      << help;
}

TEST(CommandLine, HelpOfAGroupListsItsSubcommands) {
  const sandbox::ProcessResult result = run_cuset({"bench", "--help"});
  EXPECT_EQ(result.exit_status, 0);
  for (const char* subcommand : {"train", "generate", "tokenizer", "run", "verify"}) {
    EXPECT_TRUE(has(result.output, std::string("\n  ") + subcommand + " "))
        << subcommand << " in " << result.output;
  }
  EXPECT_FALSE(has(result.output, "--shape TEXT")) << "options of a subcommand: " << result.output;
  EXPECT_FALSE(has(result.output, "--config")) << "a group has no settings: " << result.output;
}

TEST(CommandLine, HelpOfASubcommandListsOnlyItsOwnOptions) {
  struct Case {
    std::vector<std::string> arguments;
    std::vector<std::string> own;
    std::vector<std::string> others;
  };
  const Case cases[] = {
      {{"bench", "train", "--help"},
       {"--shape", "--lora-rank", "--config"},
       {"--new-tokens", "--trials", "--data"}},
      {{"bench", "tokenizer", "--help"}, {"--data", "--threads"}, {"--shape", "--lora-rank", "--repeats"}},
      {{"gym", "tasks", "--help"},
       {"--output", "--answers", "--split"},
       {"--noise", "--fragments", "--held-out"}},
      {{"gym", "check", "--help"}, {"--train", "--held-out"}, {"--output", "--count", "--levels"}},
  };
  for (const Case& test : cases) {
    const sandbox::ProcessResult result = run_cuset(test.arguments);
    EXPECT_EQ(result.exit_status, 0) << result.output;
    const std::string options = result.output.substr(0, result.output.find("Examples:"));
    for (const std::string& own : test.own) EXPECT_TRUE(has(options, own)) << own << " in " << options;
    for (const std::string& other : test.others) {
      EXPECT_FALSE(has(options, "\n  " + other)) << other << " in " << options;
    }
    EXPECT_TRUE(has(result.output, "Examples:\n  cuset " + test.arguments[0] + " " + test.arguments[1]));
  }
}

TEST(CommandLine, SubcommandMayStandBehindFlags) {
  const sandbox::ProcessResult usual = run_cuset({"gym", "list", "--json"});
  EXPECT_EQ(usual.exit_status, 0);
  EXPECT_EQ(run_cuset({"gym", "--json", "list"}).output, usual.output);
  EXPECT_EQ(run_cuset({"--quiet", "gym", "list", "--json"}).output, usual.output);
}

TEST(CommandLine, VersionNamesItsParts) {
  const sandbox::ProcessResult result = run_cuset({"--version"});
  EXPECT_EQ(result.exit_status, 0);
  for (const char* part : {"cuset 0.", "revision ", "LibTorch 2.", "GPU kernels:", "Compiler:"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in " << result.output;
  }
}

TEST(CommandLine, WrongUsageIsOneLineAndStatus2) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{}, "cuset: no command given (`cuset --help` lists the commands)\n"},
      {{"docter"},
       "cuset: unknown command 'docter'; did you mean 'doctor'? (`cuset --help` lists the commands)\n"},
      {{"infer"},
       "cuset: unknown command 'infer' (`cuset generate` answers prompts, `cuset chat` talks to a model)\n"},
      {{"doctor", "--jsn"},
       "cuset: doctor: unknown flag '--jsn'; did you mean '--json'? (`cuset doctor --help` lists what "
       "it takes)\n"},
      {{"doctor", "now"},
       "cuset: doctor: unexpected argument 'now' (`cuset doctor --help` lists what it takes)\n"},
      {{"doctor", "--set", "jsom=1"}, "cuset: --set: unknown key 'jsom'; did you mean 'json'?\n"},
      {{"--jsn"}, "cuset: unknown flag '--jsn' (`cuset --help` lists the flags and commands)\n"},
      {{"train", "--use-galore", "--model", "M"},
       "cuset: --use-galore: not supported by cuset: the optimizer is AdamW (remove the key, or set it to false)\n"},
      {{"train", "--model"},
       "cuset: --model: its value is missing (`cuset COMMAND --help` says what it takes)\n"},
      {{"doctor", "--quiet", "--verbose"}, "cuset: --quiet and --verbose exclude each other\n"},
      {{"gym"},
       "cuset: gym: the subcommand is missing (write one of: cuset gym list, cuset gym tasks, cuset gym "
       "data, "
       "cuset gym corpus, cuset gym check)\n"},
      {{"bench", "trian", "--steps", "1"},
       "cuset: bench: unknown subcommand 'trian'; did you mean 'train'? (`cuset bench --help` lists the "
       "subcommands)\n"},
      {{"--quiet", "gym", "tusks"},
       "cuset: gym: unknown subcommand 'tusks'; did you mean 'tasks'? (`cuset gym --help` lists the "
       "subcommands)\n"},
      {{"gym", "list", "--output", "x"},
       "cuset: gym list: unknown flag '--output' (`cuset gym list --help` lists what it takes)\n"},
      {{"gym", "list", "now"},
       "cuset: gym list: unexpected argument 'now' (`cuset gym list --help` lists what it takes)\n"},
  };
  for (const Case& test : cases) {
    const sandbox::ProcessResult result = run_cuset(test.arguments);
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_EQ(result.output, test.message);
  }
}

// Commands that take an old spelling get past it, and then refuse what else is wrong.
TEST(CommandLine, OldSpellingsStillWork) {
  const base::TemporaryFolder folder;
  const std::string data = "testdata/data/kernels.jsonl";
  const std::string file = (folder / "tokenizer.json").string();
  EXPECT_EQ(run_cuset({"vocabulary", "--data", data, "--size", "300", "--output-file", file}).exit_status, 0);
  EXPECT_TRUE(std::filesystem::exists(file));
  const std::string page = (folder / "page.html").string();
  EXPECT_EQ(run_cuset({"inspect", data, "--model", "assets/model", "--html", page, "--max-samples", "1"})
                .exit_status,
            0);
  EXPECT_TRUE(std::filesystem::exists(page));
  const std::string tasks = (folder / "tasks.jsonl").string();
  EXPECT_EQ(run_cuset({"gym", "tasks", "--output", tasks, "--count", "2", "--workers", "1"}).exit_status, 0);
  EXPECT_TRUE(std::filesystem::exists(tasks));
  const std::string none = (folder / "none").string();
  const std::string run = (folder / "run").string();
  const std::vector<std::string> refused[] = {
      {"train", "--model", none, "--data", data, "--output-dir", run, "--max-samples", "3"},
      {"analyze", "--model", none, "--data", data, "--output-dir", run, "--max-samples", "3"},
      {"merge", "--model", none, "--adapter", none, "--output-dir", run},
      {"demo", "--output-dir", run, "--tasks", "0"}};
  for (const std::vector<std::string>& arguments : refused) {
    const sandbox::ProcessResult result = run_cuset(arguments);
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_TRUE(has(result.output, "there is no folder") || has(result.output, "tasks is 0"))
        << result.output;
  }
}

TEST(CommandLine, MissingFileIsOneLineAndStatus1) {
  const sandbox::ProcessResult result = run_cuset({"doctor", "--config", "/no/such/file.yaml"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_EQ(result.output.substr(0, 39), "cuset: cannot open /no/such/file.yaml: ");
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1);
}

TEST(CommandLine, FlagsMayBeSpelledWithUnderscores) {
  const base::TemporaryFolder folder;
  const std::string none = (folder / "none").string();
  const sandbox::ProcessResult result =
      run_cuset({"train", "--model_name_or_path", none, "--data", "testdata/data/kernels.jsonl",
                 "--output_dir", (folder / "run_1").string(), "--learning_rate=1e-4", "--max_steps", "1"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_TRUE(has(result.output, "there is no folder \"" + none)) << result.output;
}

// A file stands where the folder of the results would be.
TEST(CommandLine, OutputThatCannotBeMadeIsNoBug) {
  const base::TemporaryFolder folder;
  const std::string model = "assets/model";
  const std::string data = "testdata/data/kernels.jsonl";
  const std::string tasks = "examples/verify/tasks.jsonl";
  const std::string answers = "examples/verify/answers.jsonl";
  base::write_file_atomic(folder / "file", "x");
  const std::string output = (folder / "file/run").string();
  const std::vector<std::string> commands[] = {
      {"evaluate", "--model", model, "--tasks", tasks, "--output", output},
      {"verify", "--tasks", tasks, "--answers", answers, "--output", output},
      {"analyze", "--model", model, "--data", data, "--output", output},
      {"curate", "examples/curate/plan.yaml", "--output", output},
      {"demo", "--output", output}};
  for (const std::vector<std::string>& arguments : commands) {
    const sandbox::ProcessResult result = run_cuset(arguments);
    EXPECT_EQ(result.exit_status, 1);
    EXPECT_TRUE(has(result.output, "cuset: cannot ")) << arguments[0] << ": " << result.output;
    EXPECT_TRUE(has(result.output, "Not a directory (check the path)"))
        << arguments[0] << ": " << result.output;
  }
}

TEST(CommandLine, DoctorReportsAsTextAndAsJson) {
  const sandbox::ProcessResult text = run_cuset({"doctor"});
  EXPECT_EQ(text.exit_status, 0) << text.output;
  EXPECT_NE(text.output.find("This machine can\n"), std::string::npos);
  const sandbox::ProcessResult json = run_cuset({"doctor", "--json"});
  const base::Json report = base::parse_json(json.output, "doctor --json");
  EXPECT_TRUE(report["abilities"].contains("train"));
  EXPECT_GE(report["findings"].size(), 10u);
}

// What the OpenMP runtime says at its start to have understood, of cuset in an environment without its
// variables but with `more` (texts for env(1)).
std::string openmp_settings(std::vector<std::string> more) {
  std::vector<std::string> command = {"env", "--unset=OMP_WAIT_POLICY", "--unset=GOMP_SPINCOUNT",
                                      "--unset=KMP_BLOCKTIME", "OMP_DISPLAY_ENV=verbose"};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {CUSET_PROGRAM, "--version"});
  const sandbox::ProcessResult result = sandbox::run_process(command, {.time_limit = kTooLong});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "cuset 0.")) << result.output;
  return result.output;
}

TEST(CommandLine, ThreadsOfOpenmpSleepSoon) {
  const std::string settings = openmp_settings({});
  if (!has(settings, "GOMP_SPINCOUNT = ")) GTEST_SKIP() << "skipped: not libgomp, or one that says nothing";
  EXPECT_TRUE(has(settings, "GOMP_SPINCOUNT = '1000'")) << settings;
  EXPECT_FALSE(has(settings, "GOMP_SPINCOUNT = '300000'")) << "it was started twice:\n" << settings;
}

TEST(CommandLine, TheUsersWaitingPolicyIsKept) {
  const std::string settings = openmp_settings({"OMP_WAIT_POLICY=active"});
  EXPECT_TRUE(has(settings, "OMP_WAIT_POLICY = 'ACTIVE'")) << settings;
  EXPECT_FALSE(has(settings, "GOMP_SPINCOUNT = '1000'")) << settings;
  EXPECT_FALSE(has(openmp_settings({"GOMP_SPINCOUNT=77"}), "GOMP_SPINCOUNT = '1000'"));
  EXPECT_FALSE(has(openmp_settings({"KMP_BLOCKTIME=200"}), "GOMP_SPINCOUNT = '1000'"));
}

TEST(CommandLine, ConfigurationFileSetsFlags) {
  const sandbox::ProcessResult result = run_cuset({"doctor", "--config", "testdata/cli/doctor.yaml"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_NO_THROW(base::parse_json(result.output, "output"));
}

}  // namespace
}  // namespace cuset::tests
