// The answers of testdata/red_team: every trick or style is one template, and joined with the code of a task
// it is one answer. So a defense against one text does not count as one against the trick.
//
// A template is CUDA with directives in comments:
//   // class: copy                  which kind of trick it is
//   // verdict: wrong_output crash  what it may get; without it an attack any refusal, an honest answer "correct"
//   // gpu: unsupported             what it may get on a GPU as well
//   // executor: gpu                the only executor it is for: the other lacks what it uses
//   // needs: clang                 what only the CPU executor's checks find: on a GPU it is judged where they are there, too
//   // tasks: saxpy matmul          the only tasks it is written for; `// not: total` leaves some out
//   // insert: io host              the sections of the task, or files of the folder, that stand here
// A file of tasks/ has the sections io (types, sizes, files), host (the solution on the CPU), element (one
// output, on the device; shared_element: also on the host) and solve (the honest kernel). `// also: small_matmul`
// names tasks that differ in their data alone, so that they have the same code. `// by_name: yes`: only templates that
// name the task are joined with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cuset::tests {

struct RedTeamAnswer {
  std::string name;  // "copy_plain_on_saxpy"
  std::string kind;  // its class
  std::string task;
  std::vector<std::string> verdicts;
  std::vector<std::string> gpu_verdicts;
  std::string source;
};

struct RedTeamPlace {
  std::string executor;     // "cpu", "gpu"
  bool has_checks = false;  // the CPU executor works here, as the executor or beside it
};

// The templates of `folder`/`kind` ("attacks", "honest") for an executor, each joined with up to `most` of its tasks. Which ones
// depends on the template's place only, and every task gets its share.
std::vector<RedTeamAnswer> red_team_answers(const std::filesystem::path& folder, const std::string& kind,
                                            const RedTeamPlace& place, size_t most);

}  // namespace cuset::tests
