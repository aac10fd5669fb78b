#include "benchmarks/own_tests/completion.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

constexpr const char* kPrompt =
    "struct Point { double x, y; };\n\n/* Twice it (in place). */\n__global__ void twice(Point *p, size_t n) "
    "{";

TEST(Completion, ABodyGoesOnWhereThePromptEnds) {
  EXPECT_EQ(complete_answer(kPrompt, "  p->x *= 2;\n}\n"), std::string(kPrompt) + "\n  p->x *= 2;\n}\n");
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
                  ? std::string(prompt) + "\nx"
                  : "x")
        << prompt;
}

}  // namespace
}  // namespace cuset::benchmarks
