// How long a module takes, measured in a separate process: on inputs that no earlier process of the answer
// has seen, at new addresses for every call, with an idle device and a second-level cache that holds none of
// them; outputs of calls drawn at random are compared afterwards.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/kernelbench/module_expected.h"

namespace cuset::benchmarks {

struct ModuleSample {  // one call whose outputs were kept
  std::string name;    // of its files: out_<name>_<output>.bin
  size_t trial = 0;    // whose inputs it had
  base::Json result;
};

struct ModuleTimes {
  std::vector<double> event_us;  // by the device's events
  std::vector<double> wall_us;   // by the host's clock
  std::vector<ModuleSample> samples;
  execute::Run run;
  std::string fault;  // why there are no times; empty: there are
};

class ModuleTimer {
 public:
  ModuleTimer(const ModuleJudgeSettings& settings, const ModuleExpected& expected,
              const ModuleProcess& process);

  // `model` is "Model" or "ModelNew" of `code`. Of `folder` only what was compiled there before is kept.
  ModuleTimes measure(const std::string& model, const std::string& code,
                      const std::filesystem::path& folder) const;

 private:
  const ModuleJudgeSettings& settings_;
  const ModuleExpected& expected_;
  ModuleProcess process_;
};

// Why the times cannot be honest; empty where they can: events and clock disagree, the recorded kernels took
// longer, or there were fewer launches than calls.
std::string find_dishonest_timing(const ModuleTimes& times, const std::vector<std::string>& own,
                                  const ModuleJudgeSettings& settings, bool needs_kernel);

judge::Timing timing_of(const ModuleTimes& answer, const ModuleTimes& reference);

}  // namespace cuset::benchmarks
