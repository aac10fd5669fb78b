// The plan of a curation: one YAML file that names the sources and sets the filters. docs/curate.md has the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/config_file.h"

namespace cuset::curate {

// A model behind an OpenAI-compatible endpoint. What is not set is not sent: the server's own default holds.
struct EndpointOptions {
  std::string url;  // "https://host/v1"; requests go to URL/chat/completions
  std::string model;
  std::string key;          // name of the environment variable that holds the key; empty: none is sent
  int64_t samples = 1;      // of each task
  double temperature = -1;  // -1: not set
  double top_p = -1;        // -1: not set
  int64_t max_tokens = 0;   // 0: not set
  std::string max_tokens_key = "max_tokens";  // or "max_completion_tokens", which newer models of OpenAI want
  int64_t seed = -1;                          // -1: not set; sample i gets seed + i
  std::string reasoning_effort;
  std::string system;    // message; it is not part of the row
  int64_t parallel = 8;  // requests at a time
  int64_t retries = 6;   // of a request, after the first attempt
  double timeout = 600;  // seconds of an attempt
  double backoff = 1;    // seconds before the first retry; doubled with each
  double price_in = 0;   // of a million tokens of prompts
  double price_out = 0;  // of a million tokens of answers
};

// A folder, a file of samples, tasks with the answers to them, or tasks for an endpoint to answer.
struct PlannedSource {
  std::string name;
  std::filesystem::path folder;             // of .cu and .cuh files
  std::filesystem::path file;               // of samples in any form of docs/data.md
  std::filesystem::path tasks;              // that samples or answers belong to; any benchmark's
  std::filesystem::path answers;            // to `tasks`
  std::optional<EndpointOptions> endpoint;  // that answers `tasks`
  std::filesystem::path sampled;  // what it answered (endpoint/sampled_answers.h); set by the curation
  std::string level;              // of the prompts that were answered; empty: the first
  std::string license;            // of everything in it; empty: as it says itself
  std::string prompt;             // of kernels from a folder; empty: they are documents
  int line = 0;
};

struct NormalizeOptions {
  int64_t min_tokens = 16;       // CUDA tokens of a program; fewer teach nothing
  int64_t max_bytes = 64 << 10;  // of the response
};

struct DuplicateOptions {
  bool exact = true;
  double near = 0.8;          // Jaccard similarity from which programs count as near-duplicates; 0: off
  int64_t run = 7;            // tokens of the runs that are compared
  bool across_tasks = false;  // near-duplicates also among answers to different tasks
};

struct DecontaminationOptions {
  std::vector<std::filesystem::path> files;  // benchmarks
  double overlap = 0.8;                      // share of a benchmark text's runs
};

struct ScreeningOptions {
  bool secrets = true;
  std::vector<std::string> licenses;  // allowed SPDX names; empty: all
  bool unknown_license = true;        // keep rows whose license is unknown
};

struct VerifyOptions {
  std::vector<std::string> keep = {"correct"};  // outcomes
  bool unverified = false;                      // keep rows without a task, or without a verdict
  bool harness = true;                          // of these, only programs that run cleanly (trial/)
  double harness_seconds = 30;                  // of one run of such a program
  std::vector<std::string> propose;             // command that proposes inputs for them; empty: none
  double propose_seconds = 60;                  // of one call of the command
  std::vector<base::ConfigEntry> judging;       // settings of cuset verify, for its own reader
};

// A model that reads the responses: rows whose text it finds too unlikely are refused. What is right is for verify to say;
// this is about how it is written.
struct LikelihoodOptions {
  std::filesystem::path model;    // folder
  std::filesystem::path adapter;  // empty: none
  double tau = 0.1;               // a token with p up to tau is unlikely
  double unlikely = 0.05;         // the largest share of unlikely tokens in a response
  std::string device = "auto";
  std::string dtype = "auto";
};

enum class SelectRule : uint8_t { kAll, kConcur, kRandom, kShortest, kLongest, kFastest };

std::string_view name_of(SelectRule rule);
// A name that is none is an error of ours.
SelectRule rule_named(std::string_view name);

struct SelectOptions {
  SelectRule rule = SelectRule::kAll;
  int64_t per_task = 1;     // candidates of one task, for every rule but all and concur
  double speedup = 5;       // concur (b): any correct kernel that is this much faster stays
  double single_share = 0;  // concur (c): fill up with correct kernels of single operators to this share
  std::vector<std::string> fused = {"kernelbench/2/*",
                                    "kernelbench/3/*"};  // tasks or families of several operators
  int64_t per_family = 0;                                // at most this many rows of one family; 0: no limit
  int64_t count = 0;                                     // at most this many rows; 0: no limit
  int64_t easy = 4000;                                   // reasoning below is easy
  int64_t hard = 8500;                                   // above is hard
};

struct RowWeights {
  double verified = 1;
  double unverified = 1;
};

struct CurationPlan {
  std::string name;  // of the file, without its extension
  std::string file;
  std::string text;  // of the file, for the data card
  std::vector<PlannedSource> sources;
  NormalizeOptions normalize;
  DuplicateOptions duplicates;
  DecontaminationOptions decontaminate;
  ScreeningOptions screen;
  VerifyOptions verify;
  std::optional<LikelihoodOptions> confidence;
  SelectOptions select;
  RowWeights weights;
  double validation = 0.05;  // share of the rows
  int64_t seed = 0;
};

// Throws UsageError "name:line: what is wrong (remedy)".
CurationPlan parse_curation_plan(std::string_view text, const std::string& file);
CurationPlan read_curation_plan(const std::filesystem::path& file);

}  // namespace cuset::curate
