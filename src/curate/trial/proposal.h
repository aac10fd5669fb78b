// Inputs, launches and a prompt that a command of the user's proposes for kernels that no task describes, such as a script that
// asks a language model. It gets one JSON object on its standard input and answers with one on its standard output:
//
//   {"program": text, "kernels": [{"name", "parameters": [{"name", "type"}]}]}
//
//   {"prompt": text,                                     for rows without one; may be missing
//    "kernels": [{"name": "scale", "template_arguments": "float",
//                 "sets": [{"grid": [4, 1, 1], "block": [256, 1, 1], "shared_bytes": 0,
//                           "values": {"n": 1000},
//                           "buffers": {"x": {"count": 1000, "low": -1, "high": 1, "ascending": false}}}]}]}
//
// Every kernel of the program has 1 to 16 sets, and every set names every parameter once.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "cuda_source/kernel_interface.h"
#include "curate/trial/trial_set.h"

namespace cuset::curate {

struct ProposedKernel {
  std::string template_arguments;
  std::vector<TrialSet> sets;
};

struct Proposal {
  std::string prompt;
  std::vector<ProposedKernel> kernels;  // in the order of the program
};

// The proposal in `text`, or what is wrong with it in one line. Any bytes are accepted.
std::variant<Proposal, std::string> parse_proposal(std::string_view text,
                                                   const std::vector<cuda_source::KernelInterface>& kernels);

struct ProposingCommand {
  std::vector<std::string> arguments;  // the program first, searched on PATH; empty: none
  std::chrono::milliseconds time_limit{60'000};
};

// Runs the command as the user's own, without a sandbox. What it answers, or why that is of no use.
std::variant<Proposal, std::string> ask_for_proposal(
    const ProposingCommand& command, const std::string& program,
    const std::vector<cuda_source::KernelInterface>& kernels);

}  // namespace cuset::curate
