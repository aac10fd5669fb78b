// What holds in both confinements: endings told apart, limits, and nothing left alive.
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "base/files/file.h"
#include "base/interrupt.h"
#include "support/hostile_program.h"
#include "support/scoped_variable.h"

namespace cuset::sandbox {
namespace {

using std::chrono::milliseconds;

class Sandbox : public testing::TestWithParam<Confinement> {
 protected:
  void TearDown() override { EXPECT_TRUE(support::has_no_children()); }

  support::HostileTrial trial_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Confinements, Sandbox, testing::Values(Confinement::kFull, Confinement::kLimits),
                         [](const auto& one) { return one.param == Confinement::kFull ? "Full" : "Limits"; });

TEST_P(Sandbox, ExitStatusAndBothStreamsAreReported) {
  const SandboxResult result = trial_.run_shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.ending, Ending::kExited);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.output_bytes, 8u);
  EXPECT_FALSE(result.succeeded());
}

TEST_P(Sandbox, ArgumentsReachTheProgramUnchanged) {
  trial_.command.arguments = {"/usr/bin/printf", "%s|", "a b", "$HOME", "*", "", "--"};
  EXPECT_EQ(run_sandboxed(trial_.command).output, "a b|$HOME|*||--|");
}

TEST_P(Sandbox, CrashAndAbortAreSignals) {
  EXPECT_EQ(trial_.run_hostile({"crash"}).signal, SIGSEGV);
  const SandboxResult result = trial_.run_hostile({"abort"});
  EXPECT_EQ(result.ending, Ending::kSignalled);
  EXPECT_EQ(result.signal, SIGABRT);
}

TEST_P(Sandbox, KillThatNoLimitSentIsTold) {
  const SandboxResult killed = trial_.run_shell("kill -KILL $$");
  EXPECT_EQ(killed.ending, Ending::kSignalled);
  EXPECT_TRUE(killed.stray_kill);
  EXPECT_FALSE(trial_.run_hostile({"abort"}).stray_kill);
  trial_.command.limits.wall_time = milliseconds(200);
  EXPECT_FALSE(trial_.run_shell("sleep 1000").stray_kill) << "a limit did it";
}

TEST_P(Sandbox, ProgramThatWasKilledIsRunAgain) {
  const std::string until = "echo x >> runs; [ $(wc -l < runs) -ge {} ] || ";
  const auto runs = [&] { return base::read_file(trial_.folder / "runs").size() / 2; };
  const auto run = [&](const std::string& text, const auto&... tells) {
    trial_.command.arguments = {"/bin/sh", "-c", text};
    std::filesystem::remove(trial_.folder / "runs");
    return run_repeatable(trial_.command, tells...);
  };
  EXPECT_TRUE(run(fmt::format(fmt::runtime(until), 3) + "kill -KILL $$").succeeded());
  EXPECT_EQ(runs(), 3U);
  EXPECT_TRUE(run("echo x >> runs; kill -KILL $$").stray_kill) << "it does that itself";
  EXPECT_EQ(runs(), 1U + kMostRepeats);
  EXPECT_EQ(run("echo x >> runs; exit 1").exit_status, 1);
  EXPECT_EQ(runs(), 1U);
  const auto tells = [](const SandboxResult& result) { return result.output == "a child was killed\n"; };
  EXPECT_TRUE(run(fmt::format(fmt::runtime(until), 2) + "echo a child was killed", tells).succeeded());
  EXPECT_EQ(runs(), 2U);
}

TEST_P(Sandbox, MissingProgramIsNotStarted) {
  trial_.command.arguments = {"/usr/bin/no-such-program"};
  const SandboxResult result = run_sandboxed(trial_.command);
  EXPECT_EQ(result.ending, Ending::kNotStarted);
  EXPECT_NE(result.reason.find("no-such-program"), std::string::npos);
}

TEST_P(Sandbox, ForeignProgramIsNotStarted) {
  const std::string name = trial_.folder / "foreign";
  base::write_file_atomic(name, std::string("\x7f"
                                            "ELF") +
                                    std::string(100, '\1'));
  std::filesystem::permissions(name, std::filesystem::perms::owner_all);
  trial_.command.arguments = {name};
  const SandboxResult result = run_sandboxed(trial_.command);
  // bubblewrap hands files the kernel does not know to the shell, which says so.
  EXPECT_TRUE(result.ending == Ending::kNotStarted || result.exit_status > 0) << result.errors;
}

TEST_P(Sandbox, WorksInItsFolder) {
  base::write_file_atomic(trial_.folder / "in", "text");
  EXPECT_EQ(trial_.run_shell("pwd; cat in; echo more > out").output,
            trial_.folder.path().string() + "\ntext");
  EXPECT_EQ(base::read_file(trial_.folder / "out"), "more\n");
}

TEST_P(Sandbox, EnvironmentIsOnlyWhatIsGiven) {
  const support::ScopedVariable secret("CUSET_TEST_SECRET", "token");
  trial_.command.environment = {{"GIVEN", "a=b c"}};
  const std::string shown =
      trial_.run_shell("env | sort | grep -v ^PWD | cut -d= -f1 | tr '\\n' ' '; echo $GIVEN").output;
  EXPECT_EQ(shown, "GIVEN HOME PATH TMPDIR a=b c\n");
}

TEST_P(Sandbox, InheritsNoDescriptorAndNoInput) {
  const int secret = ::open("testdata/sandbox/hostile.c", O_RDONLY);  // without close-on-exec
  const std::string shown = trial_.run_hostile({"descriptors"}).output;
  ::close(secret);
  EXPECT_EQ(shown, "0 1 2 \n");
  EXPECT_EQ(trial_.run_shell("wc -c").output, "0\n");
}

TEST_P(Sandbox, WallTimeEndsAStoppedProgram) {
  trial_.command.limits.wall_time = milliseconds(200);
  const SandboxResult result = trial_.run_hostile({"stop"});
  EXPECT_EQ(result.ending, Ending::kWallTime);
  EXPECT_GE(result.wall_seconds, 0.2);
}

TEST_P(Sandbox, CpuTimeCountsTheWholeTree) {
  trial_.command.limits.cpu_time = milliseconds(150);
  EXPECT_EQ(trial_.run_hostile({"spin"}).ending, Ending::kCpuTime);
  const SandboxResult result = trial_.run_hostile({"spin-in-many"});
  EXPECT_EQ(result.ending, Ending::kCpuTime);
  EXPECT_GE(result.cpu_seconds, 0.15);
}

TEST_P(Sandbox, MemoryEndsOneOrManyProcesses) {
  const SandboxResult one = trial_.run_hostile({"memory", "4000"});
  EXPECT_EQ(one.ending, Ending::kMemory);
  EXPECT_GT(one.peak_memory, 100u << 20);
  EXPECT_EQ(trial_.run_hostile({"memory-of-many", "40"}).ending, Ending::kMemory);
}

TEST_P(Sandbox, MemoryBelowTheLimitIsGranted) {
  const SandboxResult result = trial_.run_hostile({"memory", "64"});
  EXPECT_TRUE(result.succeeded());
  EXPECT_GT(result.peak_memory, 60u << 20);
}

TEST_P(Sandbox, ProcessesAndThreadsAreLimited) {
  for (const char* kind : {"processes", "threads"}) {
    const SandboxResult result = trial_.run_hostile({kind});
    // Root without control groups is not refused but killed.
    if (result.ending == Ending::kSignalled) {
      EXPECT_EQ(result.signal, SIGKILL);
    } else if (GetParam() == Confinement::kLimits && ::geteuid() != 0) {
      // The limit counts all processes of the user, which come and go while tests run.
      EXPECT_GT(std::stoi(result.output), 0) << kind;
      EXPECT_LT(std::stoi(result.output), 100) << kind;
    } else {
      EXPECT_EQ(result.output, "15\n") << kind;
    }
  }
}

TEST_P(Sandbox, WhatItWaitedForUsIsNotCounted) {
  trial_.command.limits.wall_time = milliseconds(100);
  trial_.command.waited = [] { return milliseconds(60'000); };
  EXPECT_TRUE(trial_.run_shell("sleep 0.3").succeeded());
}

TEST_P(Sandbox, ForkBombIsContained) {
  trial_.command.limits.wall_time = milliseconds(300);
  const SandboxResult result = trial_.run_hostile({"fork-bomb"});
  EXPECT_NE(result.ending, Ending::kExited);
  EXPECT_FALSE(support::lives("fork-bomb"));
}

TEST_P(Sandbox, OpenFilesAreLimited) { EXPECT_EQ(trial_.run_hostile({"files"}).output, "32\n"); }

TEST_P(Sandbox, FileSizeIsLimited) {
  trial_.command.limits.file_size = 3 << 20;
  const SandboxResult result = trial_.run_hostile({"write", "1", "8"});
  EXPECT_EQ(result.ending, Ending::kSignalled);
  EXPECT_EQ(result.signal, SIGXFSZ);
  EXPECT_EQ(std::filesystem::file_size(trial_.folder / "file-0"), 3u << 20);
}

TEST_P(Sandbox, ManyFilesTogetherAreLimited) {
  trial_.command.limits.folder_size = 8 << 20;
  trial_.command.limits.memory = 1 << 30;
  const SandboxResult result = trial_.run_hostile({"write", "100000", "1"});
  EXPECT_EQ(result.ending, Ending::kSignalled);
  EXPECT_EQ(result.signal, SIGXFSZ);
}

TEST_P(Sandbox, OutputBeyondTheLimitIsCountedAndDropped) {
  trial_.command.limits.output = 1000;
  const SandboxResult result = trial_.run_shell("head -c 300000 /dev/zero; head -c 2000 /dev/zero >&2");
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.output.size(), 1000u);
  EXPECT_EQ(result.errors.size(), 1000u);
  EXPECT_EQ(result.output_bytes, 302000u);
}

TEST_P(Sandbox, EndlessOutputIsEnded) {
  trial_.command.limits.output_kill = 50 << 20;
  const SandboxResult result = trial_.run_hostile({"output"});
  EXPECT_EQ(result.ending, Ending::kOutput);
  EXPECT_GT(result.output_bytes, 50u << 20);
  EXPECT_EQ(result.output.size(), 1u << 20);
}

TEST_P(Sandbox, DaemonDiesWithItsProgram) {
  const std::string name = fmt::format("98765{}", ::getpid());
  const SandboxResult result = trial_.run_hostile({"daemon", name});
  EXPECT_TRUE(result.succeeded());
  EXPECT_FALSE(support::lives(name));
}

TEST_P(Sandbox, BackgroundProcessHoldsNobodyUp) {
  const SandboxResult result = trial_.run_shell("sleep 1000 & echo done");
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.output, "done\n");
  EXPECT_LT(result.wall_seconds, 15);
}

TEST_P(Sandbox, ClosedOutputDoesNotEndTheWatch) {
  trial_.command.limits.wall_time = milliseconds(200);
  EXPECT_EQ(trial_.run_shell("exec >&- 2>&-; sleep 1000").ending, Ending::kWallTime);
}

TEST_P(Sandbox, InterruptEndsTheProgram) {
  const base::InterruptGuard guard;
  ::raise(SIGINT);
  EXPECT_EQ(trial_.run_shell("sleep 1000").ending, Ending::kInterrupted);
}

TEST_P(Sandbox, ThreadsRunSandboxesSideBySide) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (size_t i = 0; i < outputs.size(); ++i) {
    threads.emplace_back([&, i] {
      support::HostileTrial trial(GetParam());
      for (int turn = 0; turn < 3; ++turn) outputs[i] += trial.run_shell(fmt::format("echo {}", i)).output;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], fmt::format("{0}\n{0}\n{0}\n", i));
}

TEST_P(Sandbox, CompilersRunInside) {
  base::write_file_atomic(trial_.folder / "a.cc",
                          "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n");
  trial_.command.limits.memory = 1 << 30;
  trial_.command.arguments = {"/usr/bin/c++", "-o", "a", (trial_.folder / "a.cc").string()};
  const SandboxResult compiled = run_sandboxed(trial_.command);
  ASSERT_TRUE(compiled.succeeded()) << compiled.errors;
  trial_.command.arguments = {(trial_.folder / "a").string()};
  EXPECT_EQ(run_sandboxed(trial_.command).output, "hello\n");
}

}  // namespace
}  // namespace cuset::sandbox
