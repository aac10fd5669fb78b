#include "execute/build/companion_sources.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "execute/build/nvcc_compiler.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

TEST(CompanionSources, OnlyPathsBelowAFolder) {
  for (const char* good : {"a.cu", "include/a.h", "a b/c.h", "..a/b"})
    EXPECT_TRUE(is_path_below(good)) << good;
  for (const char* bad :
       {"", "/etc/passwd", "../a.cu", "a/../../b", "a//b", "a/", ".", "./a", "-o", "a/-x", "a\nb"})
    EXPECT_FALSE(is_path_below(bad)) << bad;
  EXPECT_FALSE(is_path_below(std::string(201, 'a')));
}

TEST(CompanionSources, AreLaidIntoTheFolderAndRefusedOutsideOfIt) {
  const base::TemporaryFolder folder;
  lay_companions({.files = {{"include/a.h", "x"}, {"b.cu", "y"}}}, folder.path());
  EXPECT_EQ(base::read_file(folder / "include/a.h"), "x");
  EXPECT_EQ(base::read_file(folder / "b.cu"), "y");
  EXPECT_THROW(lay_companions({.files = {{"../b.cu", "y"}}}, folder.path()), base::Error);
  EXPECT_THROW(lay_companions({.files = {{"b.cu/c.h", "y"}}}, folder.path()), base::Error);
}

TEST(CompanionSources, AllThatIsCompiledIsPartOfTheKey) {
  const auto digest = [](const CompanionSources& companions) {
    CacheKey key;
    add_to_key(key, companions);
    return key.digest();
  };
  CompanionSources companions{.files = {{"a.cu", "1"}}, .sources = {"a.cu"}};
  const std::string first = digest(companions);
  companions.wrap_main = true;
  EXPECT_NE(digest(companions), first);
  companions.wrap_main = false;
  companions.files["a.cu"] = "2";
  EXPECT_NE(digest(companions), first);
}

TEST(CompanionSources, NvccCompilesEachByItselfAndWrapsMain) {
  const std::optional<Nvcc> nvcc = find_nvcc();
  if (!nvcc) GTEST_SKIP() << "skipped: no nvcc";
  BuildOptions options;
  options.architecture = "sm_80";
  options.companions.files = {{"include/twice.h", "int twice(int);\n"},
                              {"src/twice.cu",
                               "#include \"../include/twice.h\"\n#define main wrong\n"
                               "int twice(int x) { return 2 * x; }\n"},
                              {"test.cu", "#include \"twice.h\"\nint main() { return twice(21); }\n"}};
  options.companions.sources = {"src/twice.cu", "test.cu"};
  options.companions.include_folders = {"include"};
  options.companions.wrap_main = true;
  const std::string start =
      "extern \"C\" int __real_main(int, char**);\n"
      "extern \"C\" int __wrap_main(int n, char** v) { return __real_main(n, v) - 42; }\n";
  const base::TemporaryFolder folder;
  const NvccCompiler compiler(find_toolkit(*nvcc), {});
  const Build build = compiler.build({"start.cu", start}, options, folder.path());
  ASSERT_TRUE(build.done()) << build.messages;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  sandbox::SandboxedCommand command;
  command.arguments = {build.program.string()};
  const base::TemporaryFolder work;
  command.folder = work.path();
  command.readable = {folder.path()};
  EXPECT_EQ(sandbox::run_sandboxed(command).exit_status, 0);
}

}  // namespace
}  // namespace cuset::execute
