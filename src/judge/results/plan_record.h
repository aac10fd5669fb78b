// run.json of a results folder: what was asked, so that a later run continues the same thing or is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/json/json.h"
#include "execute/executor.h"
#include "judge/verdict/judge_settings.h"
#include "tasks/task.h"

namespace cuset::judge {

// What decides a verdict, by name: seed, executor, trials, switches, and a hash of all tasks.
base::Json identity_of(const JudgeSettings& judge, const execute::Executor& executor,
                       std::span<const tasks::Task> tasks);
// The same for an executor that is not in this process.
base::Json identity_of(const JudgeSettings& judge, const std::string& executor_name,
                       std::span<const tasks::Task> tasks);

// Writes <folder>/run.json with `identity` and then `about`, or compares it with the one there. Makes the
// folder. Throws Error naming the first thing that is different, and what to do.
void claim_folder(const std::filesystem::path& folder, const base::Json& identity, const base::Json& about);

// The seed of the run in `folder`; nothing where there is none yet. Throws Error for a run.json that is none.
std::optional<uint64_t> seed_of_run(const std::filesystem::path& folder);

}  // namespace cuset::judge
