// The build and test commands of compute-eval, as what they ask for:
//
//   nvcc -I include -o test.out solution.cu test/*.cu -arch=sm_80        ./test.out 7
//
// One plain nvcc command is read at once; everything else is run by a real shell (shell_trace.h), and the calls
// of nvcc that it makes are read. Sources, include folders, defines, libraries and language options count;
// options that only set the architecture, optimization, debug information or warnings are skipped, because
// our executors choose those. Several calls (objects first, then a link) make one program. An option that is
// not known is a fault of the task, with the reason: its verdict would not be the benchmark's.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::benchmarks {

// Without "./" in front.
std::string plain_path(std::string path);

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

// `files` is the tree that a shell would work in.
NvccCommand parse_nvcc_command(std::string_view command,
                               const std::map<std::string, std::string>& files = {});

struct TestCommand {
  std::vector<std::string> arguments;  // of the program
  std::string fault;
};

// The command that runs `program`. Its status must be the program's: where a shell is needed, it is tried with
// a program that succeeds and with one that fails.
TestCommand parse_test_command(const std::string& command, const std::string& program);

}  // namespace cuset::benchmarks
