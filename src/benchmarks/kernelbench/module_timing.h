// How long a module takes, measured from outside its process. Every call gets inputs that did not exist before it: the
// process draws them on the device from a seed that we send when the call before is settled. Our clock runs around the
// call; the device's timeline (CUPTI) says what ran in it; afterwards the process has to answer a question about its
// outputs that nobody knew before, and the reference has answered for the same inputs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_process.h"
#include "execute/gpu/gpu_clocks.h"
#include "judge/programs/timing.h"

namespace cuset::benchmarks {

// What is asked of a model in one call; the same of the answer and of the reference.
struct TimedCall {
  uint32_t seed = 0;     // of its inputs
  uint32_t secret = 0;   // of the digest
  bool is_kept = false;  // its outputs are compared element by element
};

struct ModuleTimes {
  std::vector<ModuleCall> calls;      // in the order of the plan, warm-ups too
  std::vector<size_t> counted;        // those of them whose times count
  std::vector<ActivityList> between;  // what happened on the device between the calls
  execute::Run run;
  std::string fault;  // why there are no times; empty: there are
};

// Times of the reference, and what it gave for the inputs of every call.
struct ReferenceTimes {
  ModuleTimes eager;
  double compiled_us = 0;              // by torch.compile; 0: not measured or not possible
  std::map<size_t, ModuleTrial> kept;  // by call: what it has to give, of the calls that are kept
  double overhead_us = 0;              // what our clock adds to the device's own time
};

class ModuleTimer {
 public:
  ModuleTimer(const ModuleJudgeSettings& settings, const tasks::Task& task, const ModuleExpected& expected);

  // In a process of its own.
  ReferenceTimes measure_reference() const;
  // In the process that serves it, which is constructed and has the device to itself when this returns. How the process
  // ended, and what it said of that, is for the caller to add (add_ending).
  ModuleTimes measure_answer(ModuleServer& server) const;

 private:
  // What follows a call, by its number; false once the process does not answer.
  using Question = std::function<bool(ModuleSession&, size_t, ModuleCall&)>;

  ModuleTimes measure_model(const base::Json& request, const std::filesystem::path& folder,
                            const Question& question) const;
  ModuleTimes converse(ModuleServer& server, const Question& question, bool is_reference) const;
  ModuleTrial expected_of(const ModuleCall& call, size_t number, const std::filesystem::path& folder) const;

  const ModuleJudgeSettings& settings_;
  const tasks::Task& task_;
  const ModuleExpected& expected_;
  std::vector<TimedCall> plan_;
  std::optional<execute::GpuClocks> clocks_;
};

// Takes how the process of `times` ended, and what it said of why.
void add_ending(ModuleTimes& times, ModuleRun run);

// The times of the calls that count: those of the device, from the first start to the last end, but never less than
// our clock says of calls that nothing delayed when what it adds to the reference's, and half of that again, is taken off.
// By our clock alone where there is no timeline.
std::vector<double> honest_times(const ModuleTimes& times, double overhead_us);

// The file name's part for the outputs of a call that is kept.
std::string name_of_kept(size_t call);

// Whether `got` can be the digest of outputs that are within `tolerance` of those with the digest `wanted`.
bool digests_agree(const std::vector<double>& got, const std::vector<double>& wanted, uint64_t elements,
                   const tasks::Tolerance& tolerance);

struct TimedModule {
  const ModuleJudgeSettings& settings;
  std::vector<std::string> own;  // kernels, by name
  bool needs_kernel = true;
  uint64_t data_bytes = 0;  // of a call's inputs and outputs
  size_t other_calls = 0;   // of the same process, before it was timed
};

// Why the outputs of the timed calls cannot be right, as far as their digests tell; empty where they can.
std::string find_wrong_digest(const ModuleTimes& answer, const ReferenceTimes& reference,
                              const ModuleExpected& expected);

// Whether it takes longer between its calls than the reference does with the same inputs: work could be done there,
// while no clock runs, in a way that the timeline does not show. Or the machine is busy.
bool lingers_between_calls(const ModuleTimes& answer, const ReferenceTimes& reference);

// Why the times cannot be honest; empty where they can.
std::string find_dishonest_timing(const ModuleTimes& answer, const ReferenceTimes& reference,
                                  const TimedModule& timed);

judge::Timing timing_of(const ModuleTimes& answer, const ReferenceTimes& reference, const TimedModule& timed);

}  // namespace cuset::benchmarks
