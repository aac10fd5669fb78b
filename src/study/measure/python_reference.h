// The other side of a comparison: a Python script of ours, embedded in this program, that does the same work
// with the libraries people use today.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::study {

struct BenchReference {
  std::vector<base::Json> answers;  // one per measurement
  std::string missing;              // why there are none, or not all; empty where the script succeeded
};

// Runs `script` with `python`, `job` as JSON on its stdin. Lines of its output that begin with {"who" are
// answers.
BenchReference run_bench_reference(const char* script, const base::Json& job, const std::string& python);

}  // namespace cuset::study
