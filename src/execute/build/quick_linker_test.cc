#include "execute/build/quick_linker.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

using Words = std::vector<std::string>;

TEST(LastCommand, TakesTheWordsOfTheLastLineInQuotes) {
  EXPECT_EQ(last_command("clang version 19\nTarget: x\n \"/a/clang\" \"-cc1\"\n \"/b/ld\" \"-o\" \"p q\"\n"),
            (Words{"/b/ld", "-o", "p q"}));
  EXPECT_EQ(last_command(" \"ld\" \"a\\\"b\" \"c\\\\d\""), (Words{"ld", "a\"b", "c\\d"}));
  EXPECT_EQ(last_command("error: invalid linker name\n"), Words{});
}

// Needs clang and the emulator's files.
class QuickLinkerTest : public testing::Test {
 protected:
  void SetUp() override {
    const emulator::ToolchainSearch search = emulator::find_emulator_toolchain();
    if (!search.toolchain) GTEST_SKIP() << "skipped: no " << search.missing;
    toolchain_ = *search.toolchain;
    find_quick_linker(toolchain_);
    ASSERT_FALSE(toolchain_.linker.empty());
  }

  std::string object_of(const std::string& name, const std::string& text) const {
    base::write_file_atomic(folder_ / (name + ".cc"), text);
    const std::string object = (folder_ / (name + ".o")).string();
    const sandbox::ProcessResult compiled = sandbox::run_process(
        {toolchain_.clang.string(), "-c", (folder_ / (name + ".cc")).string(), "-o", object});
    EXPECT_TRUE(compiled.succeeded()) << compiled.output;
    return object;
  }

  // What a program of these objects prints, linked by clang and by the linker alone.
  std::vector<std::string> printed(const Words& objects, const Words& options) const {
    const emulator::EmulatorLink link{objects, (folder_ / "program").string(), options};
    std::vector<std::string> texts;
    for (const Words& command :
         {emulator::link_command(toolchain_, link), emulator::quick_link_command(toolchain_, link)}) {
      const sandbox::ProcessResult linked = sandbox::run_process(command);
      EXPECT_TRUE(linked.succeeded()) << linked.output;
      texts.push_back(sandbox::run_process({link.program}).output);
    }
    return texts;
  }

  base::TemporaryFolder folder_;
  emulator::EmulatorToolchain toolchain_;
};

TEST_F(QuickLinkerTest, MakesTheProgramThatClangMakes) {
  const std::string ours =
      object_of("ours",
                "extern \"C\" int __real_main(int, char**); extern \"C\" int puts(const char*);"
                "__attribute__((weak)) const char* chosen() { return \"ours\"; }"
                "extern \"C\" int __wrap_main(int c, char** w)"
                "{ puts(chosen()); return __real_main(c, w); }");
  const std::string answer =
      object_of("answer",
                "#include <iostream>\n"
                "__attribute__((weak)) const char* chosen() { return \"the answer's\"; }\n"
                "int main() { std::cout << \"main\\n\"; }\n");
  EXPECT_EQ(printed({ours, answer}, {"--wrap=main"}), (Words{"ours\nmain\n", "ours\nmain\n"}));
}

TEST_F(QuickLinkerTest, FirstOfSeveralDefinitionsCountsWhereThatIsAllowed) {
  const std::string program = "extern \"C\" int puts(const char*); int main() { puts(text()); }";
  const std::string first = object_of("first", "const char* text() { return \"first\"; }" + program);
  const std::string second = object_of("second", "const char* text() { return \"second\"; }");
  EXPECT_EQ(printed({first, second}, {"--allow-multiple-definition"}), (Words{"first\n", "first\n"}));
}

}  // namespace
}  // namespace cuset::execute
