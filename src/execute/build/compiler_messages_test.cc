#include "execute/build/compiler_messages.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

struct Case {
  const char* messages;
  const char* expected;
};

TEST(CompilerMessages, NamesAreThoseTheUserGave) {
  const Case cases[] = {
      {"saxpy.cu(5): error: identifier \"z\" is undefined\n",
       "src/saxpy.cu(5): error: identifier \"z\" is undefined\n"},
      {"/cache/new-ab12/saxpy.cu:7:1: note", "src/saxpy.cu:7:1: note"},
      {"In file included from saxpy.cu:1:\nsaxpy.cu", "In file included from src/saxpy.cu:1:\nsrc/saxpy.cu"},
      {"1 error detected in the compilation of \"saxpy.cu\".",
       "1 error detected in the compilation of \"src/saxpy.cu\"."},
      {"my_saxpy.cu saxpy.cuh", "my_saxpy.cu saxpy.cuh"},
      {"ptxas /tmp/tmpxft_00006d1f_00000000-6_saxpy.ptx, line 27; error", "ptxas saxpy.ptx, line 27; error"},
      {"tmpxft_00006d45_00000000-6_saxpy.cudafe1.cpp:(.text+0x5): undefined reference to `f()'",
       "saxpy.cudafe1.cpp:(.text+0x5): undefined reference to `f()'"},
      {"/usr/bin/ld: /tmp/x/tmpxft_00006d45_00000000-11_saxpy.o: in function `main':",
       "/usr/bin/ld: saxpy.o: in function `main':"},
      {"tmpxft_ tmpxft_zz_ tmpxft_12-", "tmpxft_ tmpxft_zz_ tmpxft_12-"},
      {"/cache/new-ab12/other.h", "other.h"},
      {"\x1b[31mred\x07", "?[31mred?"},
      {"", ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(show_source(clean_messages(one.messages, "/cache/new-ab12"), "src/saxpy.cu"), one.expected);
  }
}

TEST(CompilerMessages, ALongTextIsCut) {
  EXPECT_EQ(clean_messages(std::string(100, 'x'), "", 10), "xxxxxxxxxx\n... 90 more bytes of messages\n");
  EXPECT_EQ(clean_messages("/a.cu", ""), "/a.cu");
}

TEST(CompilerMessages, PathsInTheSandboxLeaveNoFolder) {
  EXPECT_EQ(path_in_sandbox("/a/b"), "/a/b");
  EXPECT_EQ(path_in_sandbox("/a/../b/./c"), "/b/c");
  EXPECT_EQ(path_in_sandbox("../x"), std::filesystem::current_path().parent_path() / "x");
}

TEST(CompilerMessages, OnlyPlainNamesReachTheCompiler) {
  EXPECT_EQ(name_in_sandbox("/a/b/my-kernel_2.cu"), "my-kernel_2.cu");
  EXPECT_EQ(name_in_sandbox("c++.cu"), "c++.cu");
  for (const char* name : {"-o.cu", ".hidden", "a b.cu", "a\"b.cu", "\xc3\xa4.cu", "folder/", "x;rm.cu",
                           "program.o", "program"}) {
    EXPECT_EQ(name_in_sandbox(name), "program.cu") << name;
  }
}

}  // namespace
}  // namespace cuset::execute
