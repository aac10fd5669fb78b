#include "base/console.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

struct FakeDevice {
  std::string written;
  bool is_terminal = true;
  size_t columns = 20;

  ConsoleDevice device() {
    return {[this](std::string_view text) { written += text; }, [this] { return is_terminal; },
            [this] { return columns; }};
  }
};

TEST(Console, LinesGoAboveTheStatus) {
  FakeDevice fake;
  Console console(fake.device());
  console.print_line("first");
  console.set_status("50%");
  console.print_line("second");
  console.set_status("60%");
  console.clear_status();
  console.clear_status();
  console.print_line("third");
  EXPECT_EQ(fake.written,
            "first\n"
            "\r\x1b[K50%"
            "\r\x1b[Ksecond\n50%"
            "\r\x1b[K60%"
            "\r\x1b[K"
            "third\n");
}

TEST(Console, StatusNeverReachesTheLastColumn) {
  FakeDevice fake;
  fake.columns = 6;
  Console console(fake.device());
  console.set_status("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(fake.written, "\r\x1b[K\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
}

TEST(Console, WithoutATerminalThereIsNoStatus) {
  FakeDevice fake;
  fake.is_terminal = false;
  Console console(fake.device());
  console.set_status("50%");
  console.print_line("line");
  console.clear_status();
  EXPECT_EQ(fake.written, "line\n");
}

TEST(Console, PrintableKeepsTextAndDropsControl) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\t\x7f\xc3\xa9"), "a?[2Jb???\xc3\xa9");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "2J\xc2\xa0"),
            "a?2J\xc2\xa0");  // U+009B opens a sequence too
  EXPECT_EQ(printable("a\n\tb\r", true), "a\n\tb?");
}

TEST(Console, ColumnsCountCharacters) {
  EXPECT_EQ(columns_of("a\xc3\xa9\xe2\x82\xac"), 3u);
  EXPECT_EQ(first_columns("a\xc3\xa9\xe2\x82\xac", 2), "a\xc3\xa9");
  EXPECT_EQ(first_columns("abc", 3), "abc");
  EXPECT_EQ(first_columns("abc", 0), "");
}

}  // namespace
}  // namespace cuset::base
