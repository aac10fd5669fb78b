// The build and test commands of compute-eval, read as what they ask for instead of being given to a shell:
//
//   nvcc -I include -o test.out solution.cu test/*.cu -arch=sm_80        ./test.out 7
//
// One nvcc command with sources, include folders, defines, libraries and language options can be understood;
// options that only set the architecture, optimization, debug information or warnings are skipped, because
// our executors choose those. Everything else (make, cmake, pipes, variables, several commands) is a fault of
// the task, with the reason: its verdict would not be the benchmark's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuset::benchmarks {

struct ShellWords {
  std::vector<std::string> words;
  std::string fault;  // why it is not one plain command; empty where it is
};

// Splits as a shell does, with quotes and backslashes, and refuses what a shell would act on (`;`, `$`, ...).
// A word with an unquoted `*` keeps it.
ShellWords shell_words(std::string_view command);

struct NvccCommand {
  std::vector<std::string> sources;  // as written, patterns (test/*.cu) among them
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;
  std::vector<std::string> libraries;
  std::vector<std::string> language_flags;  // "--extended-lambda"
  std::string standard = "c++17";
  std::string program = "a.out";
  std::string fault;
};

NvccCommand parse_nvcc_command(std::string_view command);

}  // namespace cuset::benchmarks
