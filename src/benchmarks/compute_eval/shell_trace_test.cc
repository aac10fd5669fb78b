#include "benchmarks/compute_eval/shell_trace.h"

#include <gtest/gtest.h>

#include <fmt/ranges.h>

namespace cuset::benchmarks {
namespace {

std::string dump(const ShellTrace& trace) {
  std::string text;
  for (const auto& call : trace.calls) text += fmt::format("{}; ", fmt::join(call, "|"));
  return text + (trace.fault.empty() ? "" : "fault");
}

std::string traced(const std::string& command, const std::string& program = "nvcc", int status = 0) {
  return dump(trace_command({command,
                             {{"a.cu", ""}, {"test/b.cu", ""}, {"Makefile", "all:\n\tnvcc -o t a.cu\n"}},
                             program,
                             status}));
}

TEST(ShellTrace, TheShellDoesWhatShellsDo) {
  const std::pair<const char*, const char*> cases[] = {
      {"nvcc -o t 'x y.cu' test/*.cu", "-o|t|x y.cu|test/b.cu; "},
      {"[ -f a.cu ] && nvcc a.cu || nvcc none.cu", "a.cu; "},
      {"X=1; for f in a b; do nvcc -c $f.cu -o $f.o && [ -x $f.o ]; done",
       "-c|a.cu|-o|a.o; -c|b.cu|-o|b.o; "},
      {"if [ -d missing ]; then nvcc a; else nvcc \"\" b; fi", "|b; "},
      {"nvcc -I\"${CUDA_HOME:-/usr/local/cuda}/include\" a.cu", "-I/usr/local/cuda/include|a.cu; "},
      {"exit 3", "fault"},
      {"no_such_program", "fault"},
      {"true", ""},
      {"echo forged > cuset_calls", ""},
  };
  for (const auto& [command, wanted] : cases) EXPECT_EQ(traced(command), wanted) << command;
}

TEST(ShellTrace, AProgramsStatusAndWordsAreSeen) {
  EXPECT_EQ(traced("./test.out 3 'a b' && echo done", "./test.out"), "3|a b; ");
  EXPECT_EQ(trace_command({"./test.out || exit 5", {}, "./test.out", 1}).status, 5);
  EXPECT_EQ(trace_command({"./test.out || true", {}, "./test.out", 1}).status, 0);
}

}  // namespace
}  // namespace cuset::benchmarks
