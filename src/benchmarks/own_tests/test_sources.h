// An answer and a benchmark's own tests as one program that says by its status, and by nothing else, that its
// tests have passed (test_start.h).
//
// Every source is compiled separately. The answer lies in a folder of its own, with copies of the files that it
// may include, so that nothing of it reaches the tests' sources: no macro, no overload, no header. Its objects
// are held to execute::Isolation: what the tests take from a library stays a library's, and nothing of the
// answer reaches the system.
//
// Where the tests include the answer (ParEval's generated-code.cuh), they get the kernel's head out of the
// prompt instead, and the answer may bring kernels only: no host code of it runs.
//
// An answer may hold several files, each after a line `// file: path`. Files of the task other than the
// answer's own stay as they are, whatever the answer says.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "execute/executor.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

struct TestProgram {
  execute::CompanionSources companions;     // all of the program: the source itself is empty
  std::map<std::string, std::string> data;  // files that are not sources, for the working folder
  std::string lacks;  // what the task asks for and the answer does not use; empty: nothing
};

// Any code is accepted. With `counted`, what the answer's host code does is counted (host_work.h), unless none of it runs.
TestProgram make_test_program(const tasks::Task& task, const std::string& code, bool counted = false);

// `code` with every `#include "..."` of a file of the task or of the answer under that file's last name: what
// is inside the task's tree is not a file of the host, however its path is written.
std::string with_plain_includes(const tasks::Task& task, const std::string& code);

// Whether the tests include the answer's file, instead of it being compiled beside them.
bool includes_answer(const tasks::TestBuild& tests);

// The files of an answer: path -> text. Without any `// file:` line, all of it is `answer_file`.
std::map<std::string, std::string> files_of_answer(std::string_view code, const std::string& answer_file);

}  // namespace cuset::benchmarks
