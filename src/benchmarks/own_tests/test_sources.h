// An answer and a benchmark's own tests as one program that can prove that its tests have passed.
//
// Every source is compiled separately, as the benchmark does it, so that no macro or helper of the answer
// reaches the tests. The program starts in our own source: it takes a token out of the working folder before
// any other code runs (.preinit_array) and writes it back, as kPassed, only when the tests' `main` has
// returned 0. Calls of exit(0) in the tests become calls of our source, under a name drawn for this
// verification, and do the same.
// An answer that ends the program earlier, or prints that the tests passed, leaves no token.
//
// Where the tests include the answer (ParEval's generated-code.cuh), it shares their translation unit. Then
// macros that it defines end with its text, and host functions that the tests define get names that it cannot
// know.
//
// An answer may hold several files, each after a line `// file: path`. Files of the task other than the
// answer's own stay as they are, whatever the answer says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "execute/executor.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

inline constexpr const char* kToken = "cuset.token";
inline constexpr const char* kPassed = "cuset.passed";

struct TestProgram {
  std::string start;  // the source that is given to the executor
  execute::CompanionSources companions;
  std::map<std::string, std::string> data;  // files that are not sources, for the working folder
  std::string hack;                         // why the answer's text is a hack; empty: it is not
  std::string lacks;  // what the task asks for and the answer does not use; empty: nothing
};

// `seed` draws the names. Any code is accepted.
TestProgram make_test_program(const tasks::Task& task, const std::string& code, uint64_t seed);

// The files of an answer: path -> text. Without any `// file:` line, all of it is `answer_file`.
std::map<std::string, std::string> files_of_answer(std::string_view code, const std::string& answer_file);

}  // namespace cuset::benchmarks
