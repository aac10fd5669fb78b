#include "benchmarks/own_tests/completion.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

constexpr const char* kPrompt =
    "struct Point { double x, y; };\n\n/* Twice it (in place). */\n__global__ void twice(Point *p, size_t n) "
    "{";

TEST(Completion, ABodyGoesOnWhereThePromptEnds) {
  const std::string whole = std::string(kPrompt) + "\n  p->x *= 2;\n}\n";
  EXPECT_EQ(complete_answer(kPrompt, "  p->x *= 2;\n}\n"), whole);
  EXPECT_EQ(complete_answer(kPrompt, "  p->x *= 2;\n}\n\nint main() {}\nThat is all."), whole);
}

TEST(Completion, AnAnswerWithoutFencesIsRecognizedAsABodyByItsClosingBrace) {
  const std::string body = "  if (n > 0) { p->x *= 2; } // }\n}";
  const std::string whole = std::string(kPrompt) + "\n" + body + "\n";
  EXPECT_EQ(continued_prompt(kPrompt, body + "\n\n/* Next task */ __global__ void other() {"), whole);
  EXPECT_EQ(continued_prompt(kPrompt, std::string("Here: ") + kPrompt + "\n" + body).value_or("").size(),
            whole.size() + 1);
  EXPECT_EQ(continued_prompt(kPrompt, "<think>{{{</think>" + body), whole);
  EXPECT_FALSE(continued_prompt(kPrompt, "I cannot do that."));
  EXPECT_FALSE(continued_prompt(kPrompt, "```\n" + body + "\n```"));
  EXPECT_FALSE(continued_prompt(kPrompt, "__global__ void twice(Point *p, size_t n) {" + body));
  EXPECT_FALSE(continued_prompt("Write a kernel.", body));
}

TEST(Completion, ThePromptDeclaresItsKernel) {
  EXPECT_TRUE(kernel_declaration(kPrompt).ends_with("__global__ void twice(Point *p, size_t n) ;\n"));
  EXPECT_EQ(kernel_declaration("void twice(double *x) {"), "") << "not a kernel";
  EXPECT_EQ(kernel_declaration("Write a kernel."), "");
}

TEST(Completion, AWholeFunctionGetsWhatStandsBeforeIt) {
  const std::string whole = "__global__ void twice(Point *p, size_t n) { p->x *= 2; }\n";
  EXPECT_EQ(complete_answer(kPrompt, whole), "struct Point { double x, y; };\n" + whole);
  EXPECT_EQ(complete_answer(kPrompt, "struct Point { double x, y; };\n" + whole),
            "struct Point { double x, y; };\n" + whole);
}

TEST(Completion, OtherPromptsLeaveTheAnswerAsItIs) {
  for (const char* prompt : {"Write a kernel.", "", "if (x) {", "{", "f() {", ") {", "() {"})
    EXPECT_EQ(complete_answer(prompt, "x"),
              prompt == std::string("f() {") || prompt == std::string("if (x) {")
                  ? std::string(prompt) + "\nx\n"
                  : "x")
        << prompt;
}

}  // namespace
}  // namespace cuset::benchmarks
