// A task of the gym: a family's draft with file names and prompts, in the form that the judge takes.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/words/spelling.h"
#include "tasks/task.h"

namespace cuset::gym {

struct GymTask {
  const GymFamily* family = nullptr;
  GymDraft draft;
  Spelling words;          // of prose and formulas: file names for arrays, decimals for values
  size_t wished = 0;       // the solution that prompts of level 1 ask for
  tasks::Task task;        // with one prompt of each level
  uint64_t signature = 0;  // gym/split.h; given by TaskSource
};

// Names the files of a draft and words its prompts, all from `stream`. A draft that breaks family.h's rules
// is a bug of the family.
GymTask make_gym_task(const GymFamily& family, GymDraft draft, const base::RandomStream& stream);

// Throws CheckFailure where `draft` breaks a rule of family.h: unknown keys, shapes that their sides do not
// give, too few titles or solutions, sizes beyond what a CPU judges quickly.
void check_draft(const GymFamily& family, const GymDraft& draft);

}  // namespace cuset::gym
