#include "execute/run/run_report.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

RunReport sample_report() {
  RunReport report;
  report.source = "examples/saxpy.cu";
  report.source_text = "one\n\ty[i] = x[i];\nthree\n";
  report.executor = "cpu";
  report.description = "CPU, 2 threads, clang 19.1.7";
  report.options.check = true;
  report.build.outcome = Build::Outcome::kDone;
  report.build.compiler = "clang 19.1.7";
  report.build.seconds = 0.8;
  cuset::execute::Run run;
  run.outcome = Run::Outcome::kDone;
  run.explanation = "exit status 0";
  run.process.exit_status = 0;
  run.process.wall_seconds = 0.012;
  run.kernels.push_back({"saxpy", {4096, 1, 1}, {256, 1, 1}, 1024, 2, 0, 2.5, 1.25});
  report.run = run;
  return report;
}

RunFinding out_of_bounds() {
  RunFinding finding{};
  finding.kind = "out_of_bounds";
  finding.kernel = "saxpy";
  finding.file = "examples/saxpy.cu";
  finding.line = 2;
  finding.column = 2;
  finding.block[0] = 3;
  finding.thread[0] = 255;
  finding.text = "write of 4 bytes, 4 past the end of a 4096-byte allocation";
  finding.count = 13;
  return finding;
}

TEST(RunReport, FindingsReadAsACompilersMessages) {
  RunReport report = sample_report();
  report.run->findings = {out_of_bounds()};
  EXPECT_EQ(
      render_findings(report, false),
      "examples/saxpy.cu:2:2: out_of_bounds: write of 4 bytes, 4 past the end of a 4096-byte allocation; "
      "kernel saxpy, block (3,0,0), thread (255,0,0) (x 12 more)\n"
      "    2 | \ty[i] = x[i];\n"
      "      | \t^\n");
  EXPECT_NE(render_findings(report, true).find("\033[31mout_of_bounds:\033[0m"), std::string::npos);
}

TEST(RunReport, FindingsOutsideTheSourceHaveNoLine) {
  RunReport report = sample_report();
  RunFinding finding{};
  finding.kind = "order_dependent";
  finding.text = "line 1 of the output is \"2\" instead of \"1\"";
  finding.count = 1;
  report.run->findings = {finding};
  EXPECT_EQ(render_findings(report, false),
            "order_dependent: line 1 of the output is \"2\" instead of \"1\"\n");
  report.run->findings[0].file = "examples/saxpy.cu";
  report.run->findings[0].line = 99;
  EXPECT_EQ(render_findings(report, false),
            "examples/saxpy.cu:99: order_dependent: line 1 of the output is \"2\" instead of \"1\"\n");
}

TEST(RunReport, KernelsStandInATable) {
  EXPECT_EQ(render_kernels(*sample_report().run),
            "kernel             grid          block     shared  launches       total     fastest\n"
            "saxpy        (4096,1,1)      (256,1,1)   1.00 KiB         2    2.500 ms    1.250 ms\n");
  EXPECT_EQ(render_kernels({}), "");
}

TEST(RunReport, KernelsOfAGpuHaveAProfile) {
  RunReport report = sample_report();
  KernelLaunches& kernel = report.run->kernels[0];
  kernel.registers = 40;
  kernel.static_shared_bytes = 512;
  kernel.local_bytes = 16;
  report.gpu.threads_per_multiprocessor = 2048;
  report.gpu.blocks_per_multiprocessor = 32;
  report.gpu.registers_per_multiprocessor = 65536;
  report.gpu.shared_bytes_per_multiprocessor = 228 << 10;
  report.gpu.reserved_shared_bytes_per_block = 1 << 10;
  const std::string table = render_kernels(*report.run, report.gpu);
  EXPECT_NE(
      table.find(
          "kernel   share  registers  static shared  dynamic shared       local  occupancy  limited by\n"
          "saxpy    100 %         40          512 B           512 B        16 B       75 %  registers\n"),
      std::string::npos)
      << table;
  const base::Json json = to_json(report)["run"]["kernels"][0];
  EXPECT_EQ(json["registers"], 40);
  EXPECT_EQ(json["static_shared_bytes"], 512);
  EXPECT_EQ(json["local_bytes"], 16);
  EXPECT_EQ(json["occupancy"], 0.75);
  EXPECT_EQ(json["limit"], "registers");
}

TEST(RunReport, KernelsAreCalledByTheirNames) {
  const std::pair<const char*, const char*> names[] = {
      {"void reduce<float, (Kind)2>(float const*, int)", "reduce<float, (Kind)2> "},
      {"(anonymous namespace)::scale(float (*)(int), int)", "(anonymous namespace)::scale "},
      {"plain", "plain  "},
      {")", ")      "},
  };
  for (const auto& [name, shown] : names) {
    RunReport report = sample_report();
    report.run->kernels[0].name = name;
    EXPECT_NE(render_kernels(*report.run).find(std::string("\n") + shown), std::string::npos) << name;
  }
}

TEST(RunReport, EndingSaysHowItWent) {
  RunReport report = sample_report();
  EXPECT_EQ(
      render_ending(report, false),
      "done: exit status 0; ran 12 ms, compiled in 800 ms (CPU, 2 threads, clang 19.1.7); nothing found\n");
  EXPECT_TRUE(report.is_clean());
  report.run->findings = {out_of_bounds()};
  EXPECT_FALSE(report.is_clean());
  EXPECT_NE(render_ending(report, false).find("; 1 finding\n"), std::string::npos);
  report.run.reset();
  report.build.outcome = Build::Outcome::kCompileError;
  EXPECT_EQ(render_ending(report, false), "compile_error: not compiled (after 800 ms, clang 19.1.7)\n");
  EXPECT_FALSE(report.is_clean());
  report.build.outcome = Build::Outcome::kUnsupported;
  report.build.messages = "a.cu:1:2: error: unsupported: cuBLAS\n";
  EXPECT_EQ(
      render_ending(report, false),
      "unsupported: cuBLAS (after 800 ms, clang 19.1.7)\n"
      "the CPU executor does not have this: run the program on a GPU (--executor gpu); docs/emulator.md lists what it "
      "has\n");
  report.executor = "gpu";
  EXPECT_EQ(render_ending(report, false), "unsupported: cuBLAS (after 800 ms, clang 19.1.7)\n");
}

TEST(RunReport, NotesAreNoFindings) {
  RunReport report = sample_report();
  RunFinding note = out_of_bounds();
  note.kind = "note";
  report.run->findings = {note};
  EXPECT_TRUE(report.is_clean());
}

TEST(RunReport, MessagesAreColoredAndCannotMoveTheCursor) {
  const char* text = "a.cu:1:2: error: bad \x1b[2Jthing\n    1 | x\n      | ^~\n";
  EXPECT_EQ(render_messages(text, false), "a.cu:1:2: error: bad ?[2Jthing\n    1 | x\n      | ^~\n");
  EXPECT_EQ(render_messages(text, true),
            "a.cu:1:2: \033[31merror:\033[0m bad ?[2Jthing\n    1 | x\n\033[32m      | ^~\033[0m\n");
}

TEST(RunReport, JsonCarriesEverything) {
  RunReport report = sample_report();
  report.run->findings = {out_of_bounds()};
  const base::Json json = to_json(report);
  EXPECT_EQ(json["clean"], false);
  EXPECT_EQ(json["build"]["outcome"], "done");
  EXPECT_EQ(json["run"]["outcome"], "done");
  EXPECT_EQ(json["run"]["kernels"][0]["grid"], (std::vector<int>{4096, 1, 1}));
  EXPECT_EQ(json["run"]["findings"][0]["thread"], (std::vector<int>{255, 0, 0}));
  report.run.reset();
  EXPECT_TRUE(to_json(report)["run"].is_null());
}

}  // namespace
}  // namespace cuset::execute
