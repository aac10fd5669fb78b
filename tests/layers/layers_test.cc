#include "layers/layers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "layers/made_up_tree.h"

namespace cuset::tests {
namespace {

constexpr const char* kTable =
    "| module | contents | may use |\n"
    "|---|---|---|\n"
    "| `base/` | errors | std, third-party |\n"
    "| ops/ | tensors | base, LibTorch |\n"
    "| `report/` | pages | base (and nothing else) |\n"
    "| `study/` | studies | all but cli, report |\n"
    "| `serve/` | service | LibTorch, all above but study |\n"
    "| `cli/` | commands | all; nobody uses it |\n";

class Layers : public MadeUpTree {
 protected:
  // What is wrong with a tree that has this file.
  std::vector<std::string> complaints(const char* file, const char* text) {
    write(file, text);
    return messages(find_forbidden_includes(root(), parse_module_table(kTable)));
  }
};

using Messages = std::vector<std::string>;

TEST_F(Layers, AllowWhatTheTableNames) {
  EXPECT_EQ(
      complaints("ops/a.cc", "#include \"ops/a.h\"\n#include \"base/error.h\"\n#include <torch/types.h>\n"),
      Messages{});
  EXPECT_EQ(complaints("study/a.cc", "#include \"ops/a.h\"\n#include <vector>\n#include <fmt/format.h>\n"),
            Messages{});
  EXPECT_EQ(complaints("serve/a.cc", "#include \"report/a.h\"\n#include <torch/types.h>\n"), Messages{});
  EXPECT_EQ(complaints("cli/a.cc", "#include \"report/a.h\"\n#include \"study/a.h\"\n"), Messages{});
}

TEST_F(Layers, ForbidAModuleThatTheTableDoesNotName) {
  EXPECT_EQ(complaints("base/a.cc", "#include <vector>\n  #  include \"ops/a.h\"\n"),
            Messages{"base/a.cc:2: includes ops/a.h: base/ may not use ops"});
}

TEST_F(Layers, ForbidLibTorchOutsideItsModules) {
  EXPECT_EQ(complaints("report/a.h", "#include <ATen/ATen.h>\n"),
            Messages{"report/a.h:1: includes ATen/ATen.h: report/ may not use LibTorch"});
}

TEST_F(Layers, AllAboveEndsAtTheRow) {
  EXPECT_EQ(complaints("serve/a.cc", "#include \"study/a.h\"\n#include \"cli/a.h\"\n"),
            (Messages{"serve/a.cc:1: includes study/a.h: serve/ may not use study",
                      "serve/a.cc:2: includes cli/a.h: serve/ may not use cli"}));
}

TEST_F(Layers, NobodyUsesTheCommandLine) {
  EXPECT_EQ(complaints("study/a.cc", "#include \"cli/a.h\"\n"),
            Messages{"study/a.cc:1: includes cli/a.h: study/ may not use cli"});
}

TEST_F(Layers, ForbidRelativePathsAndCheckCudaSources) {
  EXPECT_EQ(complaints("ops/a.cu", "#include \"../report/a.h\"\n"),
            Messages{"ops/a.cu:1: includes ../report/a.h: includes name the module, never a relative path"});
}

TEST_F(Layers, OnlyTestsUseTheSupportOfTests) {
  EXPECT_EQ(complaints("ops/a_test.cc", "#include \"support/tiny_model.h\"\n"), Messages{});
  EXPECT_EQ(complaints("ops/a.cc", "\n#include \"support/tiny_model.h\"\n"),
            Messages{"ops/a.cc:2: includes support/tiny_model.h: only tests may use tests/support"});
}

TEST_F(Layers, ForbidAFolderThatIsNotAModule) {
  EXPECT_EQ(complaints("utils/a.cc", ""), Messages{"utils: is not a module of the table"});
}

TEST(ModuleTable, UnknownModuleInACellIsAnError) {
  EXPECT_THROW(parse_module_table("| base/ | x | attic |\n"), base::Error);
  EXPECT_THROW(parse_module_table("no table"), base::Error);
}

class IncludeCircles : public MadeUpTree {
 protected:
  Messages complaints() const { return messages(find_include_circles(root())); }
};

TEST_F(IncludeCircles, FoldersMayIncludeEachOtherInOneDirection) {
  write("judge/judge.h", "#include \"judge/audit/audit.h\"\n#include \"judge/verdict.h\"\n");
  write("judge/verdict.h", "#include \"judge/judge.h\"\n");
  write("judge/audit/audit.h", "#include \"base/error.h\"\n#include <judge/judge.h>\n");
  write("base/error.h", "");
  EXPECT_EQ(complaints(), Messages{});
}

TEST_F(IncludeCircles, TwoFoldersOfAModule) {
  write("tasks/task.h", "");
  write("tasks/inputs.cc", "#include \"tasks/task.h\"\n#include \"tasks/script/run.h\"\n");
  write("tasks/script/run.h", "");
  write("tasks/script/array.h", "\n\n#include \"tasks/task.h\"\n");
  EXPECT_EQ(
      complaints(),
      Messages{
          "tasks/inputs.cc:2: tasks and tasks/script include each other in a circle: "
          "tasks/inputs.cc:2 includes tasks/script/run.h; tasks/script/array.h:3 includes tasks/task.h"});
}

TEST_F(IncludeCircles, OverSeveralModules) {
  write("a/x/1.h", "#include \"b/2.h\"\n");
  write("b/2.h", "#include \"c/3.h\"\n");
  write("c/3.h", "#include \"a/x/1.h\"\n");
  EXPECT_EQ(complaints(),
            Messages{"a/x/1.h:1: a/x and b and c include each other in a circle: "
                     "a/x/1.h:1 includes b/2.h; b/2.h:1 includes c/3.h; c/3.h:1 includes a/x/1.h"});
}

TEST_F(IncludeCircles, EachIsTold) {
  write("a/1.h", "#include \"b/1.h\"\n");
  write("b/1.h", "#include \"a/1.h\"\n");
  write("c/1.h", "#include \"d/1.h\"\n");
  write("d/1.h", "#include \"c/1.h\"\n");
  EXPECT_EQ(complaints().size(), 2u);
}

TEST_F(IncludeCircles, TestsMakeNone) {
  write("a/1.h", "#include \"b/1.h\"\n");
  write("a/2.h", "");
  write("b/1.h", "");
  write("b/1_test.cc", "#include \"a/2.h\"\n");
  EXPECT_EQ(complaints(), Messages{});
}

}  // namespace
}  // namespace cuset::tests
