// The numbers of inputs with peaks (tasks/inputs.h): the level that all have but a few, and those few.
#pragma once

#include "base/stats/random.h"
#include "tasks/array.h"
#include "tasks/inputs.h"
#include "tasks/task.h"

namespace cuset::tasks {

// Whether peaks may stand in for the plain numbers of this input: real ones that do not depend on each other, and
// enough of them.
bool has_peaks(const TaskInput& input);

// Of a domain for which has_peaks.
class PeakValues {
 public:
  PeakValues(const Domain& domain, NumberType type, Peaks::Level level);

  double level() const { return level_; }
  // A number well off the level, within the domain.
  double peak(base::RandomStream& stream) const;

 private:
  NumberRange support_;  // of a normal domain what plain draws reach, no more
  double middle_ = 0;
  double level_ = 0;
};

}  // namespace cuset::tasks
