#include "execute/build/cached_build.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/files/temporary_folder.h"
#include "base/interrupt.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

const std::string kDigest = base::sha256("some source");

Build compile_to(const fs::path& folder, Build::Outcome outcome) {
  Build build;
  build.outcome = outcome;
  build.messages = "a.cu(1): warning: \xff";
  build.compiler = "nvcc 13.0";
  build.command = "nvcc a.cu";
  build.seconds = 1.5;
  if (outcome == Build::Outcome::kDone) {
    base::write_file_atomic(folder / "program", "machine code");
    build.program = folder / "program";
  }
  return build;
}

TEST(CachedBuild, TheSecondTimeNothingIsCompiled) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  int compiled = 0;
  const Compile compile = [&](const fs::path& into) {
    ++compiled;
    return compile_to(into, Build::Outcome::kDone);
  };
  const Build first = build_through_cache(cache, kDigest, compile);
  const Build second = build_through_cache(cache, kDigest, compile);
  EXPECT_EQ(compiled, 1);
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.program, second.program);
  EXPECT_EQ(base::read_file(second.program), "machine code");
  EXPECT_EQ(second.command, "nvcc a.cu");
  EXPECT_EQ(second.compiler, "nvcc 13.0");
  EXPECT_DOUBLE_EQ(second.seconds, 1.5);
  EXPECT_EQ(second.messages, "a.cu(1): warning: \xef\xbf\xbd");
}

TEST(CachedBuild, FailuresAreKeptAndTimeoutsAreNot) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  for (const auto& [outcome, kept] : {std::pair{Build::Outcome::kTimeout, false},
                                      {Build::Outcome::kInterrupted, false},
                                      {Build::Outcome::kLinkError, true}}) {
    const Compile compile = [&, result = outcome](const fs::path& into) { return compile_to(into, result); };
    EXPECT_FALSE(build_through_cache(cache, kDigest, compile).cached);
    const Build again = build_through_cache(cache, kDigest, compile);
    EXPECT_EQ(again.cached, kept);
    EXPECT_EQ(again.outcome, outcome);
    EXPECT_TRUE(again.program.empty());
  }
}

// A signal to the whole group ends the compiler, too, which then looks like one that refused the source.
TEST(CachedBuild, AFailureWhileWeAreAskedToStopIsNeitherKeptNorBelieved) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  {
    const base::InterruptGuard guard;
    const Compile killed = [&](const fs::path& into) {
      std::raise(SIGTERM);
      return compile_to(into, Build::Outcome::kCompileError);
    };
    EXPECT_EQ(build_through_cache(cache, kDigest, killed).outcome, Build::Outcome::kInterrupted);
  }
  const Compile compile = [&](const fs::path& into) { return compile_to(into, Build::Outcome::kDone); };
  const Build again = build_through_cache(cache, kDigest, compile);
  EXPECT_FALSE(again.cached);
  EXPECT_TRUE(again.done());
}

TEST(CachedBuild, AProgramDamagedOnDiskIsCompiledAgain) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  const Compile compile = [&](const fs::path& into) { return compile_to(into, Build::Outcome::kDone); };
  fs::resize_file(build_through_cache(cache, kDigest, compile).program, 4);
  const Build again = build_through_cache(cache, kDigest, compile);
  EXPECT_FALSE(again.cached);
  EXPECT_EQ(base::read_file(again.program), "machine code");
}

}  // namespace
}  // namespace cuset::execute
