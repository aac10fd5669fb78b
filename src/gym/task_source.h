// Tasks without end: number after number, the same for the same selection on every machine.
#pragma once

#include <string>
#include <vector>

#include "gym/gym_task.h"
#include "gym/split.h"

namespace cuset::gym {

struct TaskSelection {
  uint64_t seed = 0;
  GymSplit split = GymSplit::kTrain;
  std::vector<std::string> families = {};  // empty: all that the split has
};

class TaskSource {
 public:
  // Throws UsageError for a family that is unknown (with the nearest name) or not in the split.
  explicit TaskSource(TaskSelection selection);

  const std::vector<const GymFamily*>& families() const { return families_; }

  // Task `number`, with an id like "gym/softmax_rows/train/000123-1f2e3d4c". Families take turns, in another
  // order in every round. Another `attempt` is another task of the same family. Safe to call from many
  // threads.
  GymTask task(uint64_t number, uint64_t attempt = 0) const;

 private:
  TaskSelection selection_;
  std::vector<const GymFamily*> families_;
  base::RandomStream stream_;
};

}  // namespace cuset::gym
