// A benchmark's command run by a real shell, in the sandbox, with programs of ours in place of those that it
// starts: they write down how they were called and do nothing else. So `[`, `&&`, variables, patterns, loops
// and make work as their authors meant them, and what they compile is compiled by the executor.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cuset::benchmarks {

struct ShellTrace {
  std::vector<std::vector<std::string>> calls;  // the words after the program's name, of each call
  int status = 0;                               // of the command
  std::string fault;                            // why there is nothing to see; empty: there is
};

struct TracedCommand {
  std::string command;
  std::map<std::string, std::string> files;  // laid into its folder: path -> text
  std::string program;  // "nvcc" is found on PATH; a path, as "./test.out", below the folder
  int status = 0;       // what the program ends with; nvcc makes an empty file of what `-o` names
};

// Throws Error where the disk fails.
ShellTrace trace_command(const TracedCommand& traced);

}  // namespace cuset::benchmarks
