// How long a correct answer keeps the device busy, compared with its task's reference. docs/verdicts.md.
//
// Every round draws fresh inputs and runs reference and answer on them in turn, each in separate processes,
// so that no pointer, buffer, cache line or counter survives from one run to the next. Kernels run in a process
// of ours (device_proof.h), which measures the device time of all of them: the answer's own code takes no part in
// that, and its host never sees the inputs. The answer's outputs are compared again in every round. A round in
// which the GPU was slowed down by heat or its power supply does not count.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "judge/programs/device_proof.h"
#include "judge/run/program_run.h"
#include "judge/trials/expected.h"

namespace cuset::judge {

struct TimingOutcome {
  std::optional<Timing> timing;
  std::string hack;  // why the measured time cannot be honest; empty: it can
};

struct TimedTask {
  const tasks::Task& task;
  const JudgeSettings& settings;
  TaskScripts& scripts;
  const std::vector<tasks::Tolerance>& tolerances;  // one for each output
  base::GpuInfo gpu;
  const ProgramRunner* reference =
      nullptr;  // null: the task has neither a baseline nor a reference program, and no speedup
};

// `proof` was given for the answer.
TimingOutcome time_answer(const TimedTask& timed, const ProgramRunner& answer, const DeviceProof& proof,
                          const ProgramRunOptions& options);

enum class RoundEnd { kCounts, kDoesNotCount, kIsLast };

// Calls `measure` with 0, 1, 2, ... until `wanted` rounds counted, one was the last, or half as many more were made.
void repeat_rounds(int wanted, const std::function<RoundEnd(int)>& measure);

struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
};

// The median with its 95 % interval from order statistics (the whole range below six values).
MedianInterval median_interval(std::span<const double> values);

// The least microseconds in which the declared inputs and outputs can pass through the device's memory once.
double floor_us(const tasks::Task& task, const base::GpuInfo& gpu);
double floor_us(uint64_t bytes, const base::GpuInfo& gpu);

// The operations that the task's oracle implies: 2 m n k of a product of dense matrices; 0: not known.
double operations_of(const tasks::Task& task);
// The least microseconds for them, on the fastest unit of the device that takes numbers of their kind; 0: not known.
double operations_floor_us(const tasks::Task& task, const base::GpuInfo& gpu);

}  // namespace cuset::judge
