// One verdict in full, for a person: what was asked, what the compiler said, which inputs broke the answer
// and where, what the emulator found, how fast it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::cli {

// The verdicts of a results folder that `name` means: "softmax#2", or all samples of "softmax". Throws Error
// with the nearest name where there is none.
std::vector<judge::Verdict> find_verdicts(const std::filesystem::path& folder, const std::string& name);

struct ShowOptions {
  const tasks::Task* task = nullptr;  // for the prompt; may be absent
  std::string level;                  // of the prompt; empty: the first
  bool color = false;
};

std::string render_verdict(const judge::Verdict& verdict, const ShowOptions& options);

}  // namespace cuset::cli
