#include "benchmarks/compute_eval/compute_eval_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

std::string dump(const NvccCommand& command) {
  if (!command.fault.empty()) return "fault: " + command.fault;
  return fmt::format("{} | -I {} | -D {} | -l {} | {} | {} > {}", fmt::join(command.sources, " "),
                     fmt::join(command.include_folders, " "), fmt::join(command.defines, " "),
                     fmt::join(command.libraries, " "), command.standard,
                     fmt::join(command.language_flags, " "), command.program);
}

TEST(ShellWords, SplitsAsAShellDoes) {
  EXPECT_EQ(shell_words("a 'b c' \"d e\"f g\\ h ''").words,
            (std::vector<std::string>{"a", "b c", "d ef", "g h", ""}));
  for (const char* command :
       {"a; b", "a && b", "a | b", "a > b", "echo $X", "echo \"$X\"", "a `b`", "(a)", "a\nb"})
    EXPECT_NE(shell_words(command).fault.find("needs a shell"), std::string::npos) << command;
  EXPECT_EQ(shell_words("a 'b").fault, "a quote is not closed");
  EXPECT_EQ(shell_words("a '$b'").words[1], "$b");
}

TEST(NvccCommand, IsReadForWhatItAsks) {
  const std::pair<const char*, const char*> cases[] = {
      {"nvcc -I include -o test.out solution.cu src/kernel.cu test/*.cu -arch=sm_80",
       "solution.cu src/kernel.cu test/*.cu | -I include | -D  | -l  | c++17 |  > test.out"},
      {"nvcc -std=c++20 -O3 --extended-lambda -Iinclude -isystem third -DN=4 -D M a.cu -lcublas -l cufft -ot",
       "a.cu | -I include third | -D N=4 M | -l cublas cufft | c++20 | --extended-lambda > t"},
      {"nvcc -gencode arch=compute_90,code=sm_90 -t 4 -Xptxas -v -w -lineinfo -L/usr/lib a.cu -rdc=true",
       "a.cu | -I  | -D  | -l  | c++17 | -rdc=true > a.out"},
      {"nvcc -Xcompiler -fopenmp,-Wall,-O3 a.cu -diag-suppress=177 -Wno-deprecated-gpu-targets",
       "a.cu | -I  | -D  | -l  | c++17 | -Xcompiler=-fopenmp > a.out"},
      {"nvcc -c a.cu -o a.o && nvcc a.o b.cu -o t", "a.cu b.cu | -I  | -D  | -l  | c++17 |  > t"},
      {"echo nvcc", "fault: it does not call nvcc"},
      {"nvcc --run a.cu", "fault: its option \"--run\" is not understood"},
      {"nvcc -Xcompiler -fplugin=x.so a.cu",
       "fault: its host compiler's option \"-fplugin=x.so\" is not understood"},
      {"nvcc -o a", "fault: it compiles no source"},
      {"", "fault: it is empty"},
      {"nvcc a.cu -o", "fault: its option \"-o\" is not understood"},
  };
  for (const auto& [command, wanted] : cases) EXPECT_EQ(dump(parse_nvcc_command(command)), wanted) << command;
}

}  // namespace
}  // namespace cuset::benchmarks
