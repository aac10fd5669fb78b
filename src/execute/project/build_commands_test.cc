#include "execute/project/build_commands.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cuset::execute {
namespace {

std::string dump(std::string_view output) {
  std::string text;
  for (const BuildCommand& command : read_build_output(output, "/p"))
    text += fmt::format("{}: {}\n", command.folder.string(), fmt::join(command.words, "|"));
  return text;
}

TEST(BuildCommands, WordsAreSplitAsAShellDoes) {
  EXPECT_EQ(dump("nvcc -DNAME='\"x y\"' \"a b.cu\" c\\ d.cu -o app # not this\n"),
            "/p: nvcc|-DNAME=\"x y\"|a b.cu|c d.cu|-o|app\n");
  EXPECT_EQ(dump("nvcc a.cu \\\n  b.cu\n"), "/p: nvcc|a.cu|b.cu\n");
  EXPECT_EQ(dump("g++ `pkg-config --cflags x` $(date +%s)\n"),
            "/p: g++|`pkg-config --cflags x`|$(date +%s)\n");
  EXPECT_EQ(split_words(" -a  '-b c' "), (std::vector<std::string>{"-a", "-b c"}));
}

TEST(BuildCommands, OneLineHoldsSeveralCommands) {
  EXPECT_EQ(dump("mkdir -p obj && nvcc a.cu; echo done || true\n"),
            "/p: mkdir|-p|obj\n/p: nvcc|a.cu\n/p: echo|done\n/p: true\n");
  EXPECT_EQ(dump("nvcc a.cu > log 2>&1 < in\n"), "/p: nvcc|a.cu\n");
  EXPECT_EQ(dump("if true; then CC=gcc time ccache nvcc a.cu; fi\n"), "/p: true\n/p: nvcc|a.cu\n/p: fi\n");
}

TEST(BuildCommands, FoldersAreFollowed) {
  EXPECT_EQ(dump("cd src && nvcc a.cu\nnvcc b.cu\n"), "/p/src: nvcc|a.cu\n/p: nvcc|b.cu\n");
  EXPECT_EQ(dump("make[1]: Entering directory '/p/lib'\nnvcc a.cu\n"
                 "make[1]: Leaving directory '/p/lib'\nnvcc b.cu\n"),
            "/p/lib: nvcc|a.cu\n/p: nvcc|b.cu\n");
}

TEST(BuildCommands, ToolIsTheNameWithoutItsFolder) {
  EXPECT_EQ(read_build_output("/usr/local/cuda/bin/nvcc a.cu\n", "/p").at(0).tool(), "nvcc");
}

TEST(BuildCommands, TornTextIsReadToItsEnd) {
  EXPECT_EQ(dump("nvcc 'open"), "/p: nvcc|open\n");
  EXPECT_EQ(dump("nvcc \\"), "/p: nvcc\n");
  EXPECT_EQ(dump("nvcc $("), "/p: nvcc|$(\n");
}

}  // namespace
}  // namespace cuset::execute
