// Candidates from a model behind an OpenAI-compatible endpoint: every task is asked `samples` times, several requests at
// a time, until all are answered.
//
// What fails on the way is tried again, and the key stays out of everything that is stored (base/net/chat_endpoint.h).
// What concerns every request ends the run; other refusals are recorded for their task. The run also ends after 20
// requests in a row that were given up.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "curate/endpoint/sampled_answers.h"
#include "curate/plan/plan.h"

namespace cuset::curate {

struct WantedSample {
  SampleKey key;
  std::string prompt;
};

// The hash under which answers to a prompt are kept.
std::string prompt_hash(const std::string& prompt);

// What identifies the sampling: answers under other values are other answers. Where they are kept is named by it.
base::Json sampling_settings(const EndpointOptions& options);

struct SamplingRun {
  std::string name;            // of the source, for messages
  std::filesystem::path file;  // of the answers
};

// Asks for those of `wanted` that `file` does not answer. False where an interrupt ended it early. Throws Error where
// the key's variable is not set, the endpoint refuses every request, or the disk is full; what was answered is kept.
bool sample_endpoint(const EndpointOptions& options, const std::vector<WantedSample>& wanted,
                     const SamplingRun& run);

}  // namespace cuset::curate
