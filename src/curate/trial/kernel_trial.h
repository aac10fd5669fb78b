// CuSeT's filter for programs without a task (paper, 5.1): compile it, run it on drawn inputs with the emulator's checks
// and in eight orders of its threads. That shows that it runs cleanly, never that it is right: such a row stays
// `unverified`.
//
// A program with a main is run itself. Kernels alone are called by a program of ours (trial_program.h) on five sets of inputs
// that are guessed from the signature (trial_set.h) or proposed (proposal.h). Where the usual guess of sizes leads out of
// a buffer or to a failed launch, small sizes are tried before the kernel is blamed.
#pragma once

#include <string>
#include <vector>

#include "curate/trial/proposal.h"
#include "execute/executor.h"

namespace cuset::curate {

inline constexpr size_t kTrialSets = 5;
inline constexpr int kTrialOrders = 8;

struct TrialResult {
  std::string
      reason;  // of a refusal: "compile_error", "crash", "order_dependent", "out_of_bounds", ...; empty: it runs cleanly
  std::string detail;
  std::string how;              // "program", "signature" or "proposal": where its inputs came from
  std::string prompt;           // proposed
  std::string proposal_fault;   // why a proposal was not used; empty: there was none, or it was used
  bool is_interrupted = false;  // nothing is known

  bool is_clean() const { return reason.empty() && !is_interrupted; }
};

struct TrialOptions {
  uint64_t seed = 0;
  double seconds = 30;  // of one run
  ProposingCommand command;
};

// On the CPU executor. Safe to call from many threads. Throws Error where the machine fails.
TrialResult try_program(execute::Executor& executor, const std::string& program, const TrialOptions& options);

}  // namespace cuset::curate
