#include "sandbox/bubblewrap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/scoped_variable.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

void make_program(const fs::path& path) {
  base::write_file_atomic(path, "#!/bin/sh\n");
  fs::permissions(path, fs::perms::owner_all);
}

std::vector<std::string> arguments_for(const SandboxedCommand& command) {
  return bubblewrap_arguments({.program = "/usr/bin/bwrap", .libraries = ""}, command,
                              {.filter = 3, .status = 4, .gate = 5});
}

// Where `words` stand one after the other; the end if nowhere.
size_t place_of(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
  const auto found = std::search(arguments.begin(), arguments.end(), words.begin(), words.end());
  return static_cast<size_t>(found - arguments.begin());
}

TEST(Bubblewrap, IsFoundOnPathAndByName) {
  const base::TemporaryFolder folder;
  make_program(folder / "bwrap");
  {
    const support::ScopedVariable none("CUSET_BWRAP", "");
    const support::ScopedVariable path("PATH", "relative:/nowhere:" + folder.path().string());
    EXPECT_EQ(find_bubblewrap()->program, folder / "bwrap");
  }
  const support::ScopedVariable chosen("CUSET_BWRAP", (folder / "bwrap").string());
  EXPECT_EQ(find_bubblewrap()->program, folder / "bwrap");
  EXPECT_TRUE(find_bubblewrap()->libraries.empty());
  fs::create_directory(folder / "bwrap-libraries");
  EXPECT_EQ(find_bubblewrap()->libraries, folder / "bwrap-libraries");
}

TEST(Bubblewrap, ChosenProgramThatIsMissingIsNotReplaced) {
  const support::ScopedVariable chosen("CUSET_BWRAP", "/nowhere/bwrap");
  EXPECT_FALSE(find_bubblewrap());
}

TEST(Bubblewrap, FoldersComeAfterTheFoldersTheyLieIn) {
  const base::TemporaryFolder outer;
  fs::create_directories(outer / "a/b");
  SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = outer / "a";
  command.readable = {outer / "a/b", outer.path()};
  const std::vector<std::string> arguments = arguments_for(command);
  const size_t whole = place_of(arguments, {"--ro-bind", outer.path().string()});
  const size_t folder = place_of(arguments, {"--bind", (outer / "a").string()});
  const size_t inner = place_of(arguments, {"--ro-bind", (outer / "a/b").string()});
  EXPECT_LT(place_of(arguments, {"--tmpfs", "/tmp"}), whole);
  EXPECT_LT(whole, folder);
  EXPECT_LT(folder, inner);
  EXPECT_LT(inner, place_of(arguments, {"--remount-ro", "/"}));
}

TEST(Bubblewrap, LinksAreShownUnderBothNames) {
  const base::TemporaryFolder outer;
  fs::create_directory(outer / "real");
  fs::create_directory_symlink(outer / "real", outer / "link");
  SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = outer / "link";
  const std::vector<std::string> arguments = arguments_for(command);
  EXPECT_LT(place_of(arguments, {"--bind", (outer / "link").string()}), arguments.size());
  EXPECT_LT(place_of(arguments, {"--bind", fs::canonical(outer / "real").string()}), arguments.size());
}

TEST(Bubblewrap, GpuBringsSystemFilesButNoWritableOnes) {
  const base::TemporaryFolder folder;
  SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = folder.path();
  EXPECT_EQ(place_of(arguments_for(command), {"/sys"}), arguments_for(command).size());
  command.gpu = true;
  const std::vector<std::string> arguments = arguments_for(command);
  EXPECT_LT(place_of(arguments, {"--ro-bind", "/sys"}), arguments.size());
  EXPECT_LT(place_of(arguments, {"--ro-bind-try", "/proc/sys"}), arguments.size());
}

TEST(Bubblewrap, MissingReadableIsAnError) {
  const base::TemporaryFolder folder;
  SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = folder.path();
  command.readable = {folder / "missing"};
  EXPECT_THROW(arguments_for(command), base::Error);
}

}  // namespace
}  // namespace cuset::sandbox
