#include "cli/commands/verify/verify_show.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::cli {
namespace {

judge::Verdict wrong_verdict() {
  judge::Verdict verdict;
  verdict.task = "softmax";
  verdict.sample = 2;
  verdict.outcome = judge::Outcome::kWrongOutput;
  verdict.explanation = "y[3] is 0.5, wanted 0.25; 1 of 64 wrong on heavy_tailed inputs";
  verdict.executor = "cpu";
  verdict.compiler = "clang 19.1.7";
  verdict.seed = 11;
  verdict.tokens = 512;
  verdict.build_seconds = 1.25;
  verdict.seconds = 2.5;
  verdict.kernels = {"softmax"};
  judge::Trial good;
  good.fraction_right = 1;
  judge::OutputComparison output;
  output.output = "y";
  output.elements = 64;
  good.outputs = {output};
  judge::Trial bad = good;
  bad.variation = tasks::Variation::kHeavyTailed;
  bad.outcome = judge::Outcome::kWrongOutput;
  bad.fraction_right = 63.0 / 64;
  bad.outputs[0].wrong = 1;
  bad.outputs[0].largest_absolute = 0.25;
  bad.outputs[0].largest_relative = 1;
  bad.outputs[0].worst = 3;
  bad.outputs[0].tolerance = {1e-5, 1e-4};
  bad.outputs[0].first = {{3, 0.5, 0.25, "x[0..7] = 1 2 3"}};
  judge::Trial bad_too = bad;
  bad_too.variation = tasks::Variation::kShifted;
  bad_too.explanation = "y[3] is 7, wanted 8";
  verdict.trials = {good, bad, bad_too};
  verdict.reward = {1, 1, 0.9921875, 0};
  return verdict;
}

TEST(VerifyShow, AWrongAnswerWithTheInputsThatBrokeIt) {
  tasks::Task task;
  task.prompts = {{"1", "\n# \nCompute the softmax of each row.\nMore.\n"}, {"2", "Softmax."}};
  EXPECT_EQ(render_verdict(wrong_verdict(), {.task = &task, .level = "", .color = false}),
            R"(softmax#2: wrong_output: y[3] is 0.5, wanted 0.25; 1 of 64 wrong on heavy_tailed inputs
asked (level 1): Compute the softmax of each row.
executor cpu, seed 11, clang 19.1.7; 2.5 s in all, 1.2 s of it compiling; 512 tokens
kernels that ran: softmax
trials:
  plain            correct        100.00 % right
  heavy_tailed     wrong_output    98.44 % right
    y: 1 of 64 wrong; largest error 0.25 (1 relative), worst at [3]; right is within 1e-05 + 0.0001 x |wanted|
      [3] is 0.5, wanted 0.25    x[0..7] = 1 2 3
  shifted          wrong_output    98.44 % right  y[3] is 7, wanted 8
reward: compiled 1, launched 1, right 0.9922, speedup 0.00
)");
  EXPECT_NE(render_verdict(wrong_verdict(), {.task = &task, .level = "2", .color = false})
                .find("asked (level 2): Softmax.\n"),
            std::string::npos);
}

TEST(VerifyShow, WholeNumbersHaveNoTolerance) {
  judge::Verdict verdict;
  verdict.task = "count";
  verdict.outcome = judge::Outcome::kWrongOutput;
  judge::OutputComparison output;
  output.output = "n";
  output.elements = 4;
  output.wrong = 1;
  output.worst = 2;
  output.first = {{2, 1e9, 4, "", "1000000001", "4"}};
  verdict.trials.emplace_back().outcome = judge::Outcome::kWrongOutput;
  verdict.trials[0].outputs = {output};
  const std::string shown = render_verdict(verdict, {});
  EXPECT_NE(shown.find("    n: 1 of 4 wrong; largest error at [2]; whole numbers must be equal\n"
                       "      [2] is 1000000001, wanted 4\n"),
            std::string::npos)
      << shown;
}

TEST(VerifyShow, AnUnsupportedAnswerComesWithARemedy) {
  judge::Verdict verdict;
  verdict.task = "conv";
  verdict.outcome = judge::Outcome::kUnsupported;
  verdict.explanation = "cuDNN";
  verdict.executor = "cpu";
  EXPECT_NE(render_verdict(verdict, {}).find("judge it on a GPU (--executor gpu)"), std::string::npos);
  verdict.executor = "gpu";
  EXPECT_EQ(render_verdict(verdict, {}).find("judge it on a GPU"), std::string::npos);
}

TEST(VerifyShow, MessagesFindingsAndTimes) {
  judge::Verdict verdict;
  verdict.task = "add";
  verdict.outcome = judge::Outcome::kCorrect;
  verdict.compiler_messages = "answer.cu:1:1: warning: \x1b[2Jodd\n";
  execute::RunFinding finding{};
  finding.kind = "out_of_bounds";
  finding.line = 9;
  finding.text = "read of 4 bytes";
  finding.kernel = "add";
  finding.count = 48;
  verdict.findings = {finding};
  verdict.timing = judge::Timing{12.5, 12, 13, 25, 2, 0.5, 100, 10};
  execute::KernelProfile profile;
  profile.kernel.name = "add";
  profile.kernel.grid[0] = 4;
  profile.kernel.block[0] = 256;
  profile.kernel.launches = 2;
  profile.kernel.total_ms = 0.01;
  profile.kernel.shared_bytes = 48;
  profile.kernel.static_shared_bytes = 32;
  profile.kernel.registers = 40;
  profile.share = 0.8;
  profile.occupancy = {0.75, 6, "registers"};
  verdict.timing->kernels = {profile};
  profile.kernel.name = "scale";
  profile.kernel.footprint_bytes = 2 << 20;
  profile.footprint = {419.4, 0.0871};
  verdict.timing->kernels.push_back(profile);
  const std::string text = render_verdict(verdict, {});
  EXPECT_NE(text.find("the compiler says:\nanswer.cu:1:1: warning: ?[2Jodd\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find("found by the emulator:\n  line 9: out_of_bounds: read of 4 bytes; kernel add (x 47 more)\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "time: 12.50 us (12.00 to 13.00) over 100 runs; reference 25.00 us, speedup 2.00; 10.00 us under "
          "torch.compile, speedup 0.80; 50 % of the roofline\n"
          "  80 % add: 10.00 us in 2 launches, grid (4,0,0), block (256,0,0), 40 registers, 32 + 16 bytes of shared "
          "memory, 0 bytes of local memory, occupancy 75 % (limited by registers)\n"
          "  80 % scale: 10.00 us in 2 launches, grid (4,0,0), block (256,0,0), 40 registers, 32 + 16 bytes of shared "
          "memory, 0 bytes of local memory, occupancy 75 % (limited by registers), footprint 2.00 MiB of memory: "
          "419 GB/s if it passes once, 9 % of the memory's peak\n"),
      std::string::npos)
      << text;
}

TEST(VerifyShow, VerdictsAreFoundByNameAndSample) {
  const base::TemporaryFolder folder;
  std::string lines;
  for (const auto& [task, sample] : {std::pair{"scan", 1}, std::pair{"scan", 0}, std::pair{"softmax", 0}}) {
    judge::Verdict verdict;
    verdict.task = task;
    verdict.sample = static_cast<uint32_t>(sample);
    base::Json line = judge::json_of(verdict);
    line["answer"] = "hash";
    lines += base::to_json_line(line) + "\n";
  }
  base::write_file_atomic(folder / "verdicts.jsonl", lines + "{\"torn");
  EXPECT_EQ(find_verdicts(folder.path(), "scan#1").size(), 1u);
  const std::vector<judge::Verdict> scans = find_verdicts(folder.path(), "scan");
  ASSERT_EQ(scans.size(), 2u);
  EXPECT_EQ(scans[0].sample, 0u);
  const std::string remedy = " (verdicts.jsonl there lists the tasks; name one as TASK or TASK#SAMPLE)";
  EXPECT_EQ(support::error_of([&] { find_verdicts(folder.path(), "sofmax"); }),
            folder.path().string() + ": no verdict on \"sofmax\"; did you mean 'softmax'?" + remedy);
  EXPECT_EQ(support::error_of([&] { find_verdicts(folder.path(), "scan#2"); }),
            folder.path().string() + ": no verdict on \"scan#2\"; did you mean 'scan#1'?" + remedy);
}

}  // namespace
}  // namespace cuset::cli
