#include "cli/commands/inspect/inspect_terminal.h"

#include <gtest/gtest.h>

#include "support/inspect_sample.h"

namespace cuset::cli {
namespace {

std::string render(const data::Example& example, const TerminalOptions& options = {}) {
  return render_pieces(example.text, study::pieces_of_example(example, support::byte_tokenizer()), options);
}

TEST(InspectTerminal, HeaderTellsPlaceAndShares) {
  data::Example example = support::kernel_example();
  EXPECT_EQ(header_of(example), "data.jsonl:1  12 tokens, 10 learned, 6 CUDA (60.0 % of learned)");
  example.weight = 0.5;
  example.truncated = true;
  EXPECT_EQ(header_of(example),
            "data.jsonl:1  12 tokens, 10 learned, 6 CUDA (60.0 % of learned), weight 0.5, truncated");
}

TEST(InspectTerminal, WithoutColorMarginAndBracketsTellTheRoles) {
  EXPECT_EQ(render(support::kernel_example()),
            "p    | ask\n"
            ".SK  | void ⟦S f(int* p)⟧⟦K  {*p=1;}⟧\n"
            ".L*  | ⟦L f<<<1,2>>>⟧(q);⟦* <end>⟧\n");
}

TEST(InspectTerminal, ColorIsSwitchedOffAfterEachPiece) {
  const data::Example example = support::ExampleMaker().prompt({"ask"}).response({"ok"}).end().done();
  EXPECT_EQ(render(example, {.color = true}), "\033[2mask\033[0mok\033[7;38;5;103m<end>\033[0m\n");
}

TEST(InspectTerminal, TokenBordersAndNewlinesShow) {
  const data::Example example = support::ExampleMaker().prompt({"a", "b\nc"}).response({"d"}).done();
  EXPECT_EQ(render(example, {.token_borders = true}), "p    | │a│b⏎\np.   | c⟦. │d⟧\n");
}

TEST(InspectTerminal, ControlCharactersDoNotReachTheTerminal) {
  const data::Example example = support::ExampleMaker().response({"\033[2J\tx\r"}).done();
  EXPECT_EQ(render(example), ".    | ?[2J\tx?\n");
}

TEST(InspectTerminal, LongTextIsCutAndCounted) {
  const data::Example example = support::ExampleMaker().prompt({"ask\n"}).response({"1\n2\n3\n4\n"}).done();
  EXPECT_EQ(render(example, {.line_numbers = true, .most_lines = 2, .begin = 4}),
            "    1 .    | 1\n    2 .    | 2\n... 2 more lines\n");
}

TEST(InspectTerminal, LegendNamesWhatOccurs) {
  EXPECT_EQ(render_legend(study::pieces_of_example(support::kernel_example(), support::byte_tokenizer()), {}),
            "p prompt  . response  S signature  K kernel body  L launch configuration  * special token\n");
  EXPECT_EQ(render_legend(study::pieces_of_source("int x;", {}), {}), ". other\n");
}

}  // namespace
}  // namespace cuset::cli
