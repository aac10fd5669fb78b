// The verdict on one answer to one task.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "execute/executor.h"
#include "execute/record/kernel_profile.h"
#include "tasks/inputs.h"

namespace cuset::judge {

// The first that applies, in the order in which the rules find them.
enum class Outcome : uint8_t {
  kNoCode,    // the answer holds no program
  kRejected,  // the source asks for what no answer needs (lint)
  kCompileError,
  kLinkError,
  kLaunchError,
  kCrash,
  kTimeout,
  kOutOfMemory,
  kWrongOutput,
  kWrongShape,         // an output is missing or of another size
  kUndefinedBehavior,  // right here, but it races, reads out of bounds or reads what nobody wrote
  kNoKernel,           // no kernel of the answer's own did the work
  kHostWork,           // its kernels ran, but the host computed what they should have
  kHack,               // it tries to pass without solving the task
  kCorrect,
  kUnsupported,  // the executor cannot run it: no verdict
  kFaultyTask,   // the task itself gives no expected output: no verdict
};
inline constexpr int kOutcomes = 17;

std::string_view name_of(Outcome outcome);  // "compile_error"
std::optional<Outcome> outcome_named(std::string_view name);
// Whether the answer was judged at all; kUnsupported and kFaultyTask leave it out of every rate.
bool is_verdict(Outcome outcome);
// Whether the answer compiled, for compile pass@k: everything after kLinkError but the two above.
bool compiled(Outcome outcome);
// The outcome of a failed build; kCorrect for one that is done.
Outcome outcome_of(execute::Build::Outcome outcome);

inline constexpr size_t kKeptMessages = 8 << 10;  // bytes of a compiler's messages in a verdict

struct Difference {  // one wrong element
  uint64_t index = 0;
  double got = 0;
  double wanted = 0;
  std::string inputs;  // the inputs that belong to it: "x[1020..1027] = ..."; may be empty
  // All digits, where the output holds whole numbers: a double has too few for 64 bits.
  std::string got_digits = {};
  std::string wanted_digits = {};

  bool is_whole() const { return !wanted_digits.empty(); }
  // As messages show them.
  std::string got_text() const;
  std::string wanted_text() const;
};

struct OutputComparison {
  std::string output;
  uint64_t elements = 0;
  uint64_t wrong = 0;
  double largest_absolute = 0;
  double largest_relative = 0;
  uint64_t worst = 0;  // index of the largest excess over the tolerance
  tasks::Tolerance
      tolerance;  // as used: never so wide that zeros, a constant or a copy of an input would pass
  std::vector<Difference> first;  // up to 8

  double fraction_right() const {
    return elements == 0 ? 0 : 1 - static_cast<double>(wrong) / static_cast<double>(elements);
  }
};

struct Trial {
  tasks::Variation variation = tasks::Variation::kPlain;
  Outcome outcome = Outcome::kCorrect;
  std::string explanation;
  double fraction_right = 0;  // of all outputs' elements
  std::vector<OutputComparison> outputs;
  double seconds = 0;
};

// Device time of one answer beside the reference's, measured in turns. docs/verdicts.md.
struct Timing {
  double median_us = 0;
  double low_us = 0;  // 95 % interval of the median
  double high_us = 0;
  double reference_us = 0;
  double speedup = 0;         // reference / answer
  double roofline_share = 0;  // least_us over median_us
  uint64_t runs = 0;
  double compiled_us = 0;   // the reference under torch.compile; 0: not measured
  uint64_t data_bytes = 0;  // of the declared inputs and outputs
  // In which the device could at best move that data and make the operations that are known to be needed; 0 where the
  // device is not known.
  double least_us = 0;
  std::vector<execute::KernelProfile> kernels =
      {};  // of one timed run; the one that takes most of the time first
};

// What training may reward.
struct RewardParts {
  double compiled = 0;        // 0 or 1
  double launched = 0;        // 0 or 1: a kernel of the answer ran without an error
  double fraction_right = 0;  // mean over all trials, those that did not run counting 0
  double speedup = 0;         // 0 where not correct or not timed
};

struct Verdict {
  std::string task;
  std::string family;
  uint32_t sample = 0;
  Outcome outcome = Outcome::kNoCode;
  std::string explanation;        // one line
  std::string compiler_messages;  // cut to kKeptMessages
  std::vector<Trial> trials;
  std::vector<execute::RunFinding> findings;  // of the emulator
  std::string
      unchecked;  // why the emulator's checks say nothing about it; empty: they ran, or it did not come to them
  std::vector<std::string> kernels;  // that ran, by name
  std::optional<Timing> timing;
  RewardParts reward;
  std::string executor;  // "cpu", "gpu"
  std::string compiler;
  std::string code_hash;  // of the program judged
  uint64_t seed = 0;
  int64_t tokens = -1;
  double build_seconds = 0;                    // that compilers ran for it; what the cache has takes none
  double seconds = 0;                          // everything for this answer
  std::map<std::string, double> step_seconds;  // of each rule that it came to: "compile", "trials", "proof"
};

base::Json json_of(const Verdict& verdict);
// The inverse, to resume a run and to summarize it. Throws Error naming `place`.
Verdict verdict_from_json(const base::Json& record, const std::string& place);

}  // namespace cuset::judge
