// Whether an answer's kernels only copied what PyTorch had computed in the same call. The emulator writes down a digest and a
// sketch of every result (base/unordered_digest.h, base/value_sketch.h); an output of the answer is compared with those that
// an own kernel could have read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value_sketch.h"
#include "benchmarks/kernelbench/module_work.h"
#include "tasks/array.h"

namespace cuset::benchmarks {

// By which a result is recognized (base/unordered_digest.h); nothing for what two results may be by chance: one number many
// times, or a single whole number.
std::optional<uint64_t> telling_digest(const tasks::Array& output);

base::ValueSketch sketch_of_output(const tasks::Array& output);

// The library kernel whose result an own kernel copied into an output, in any order; empty where there is none. `outputs`
// are the digests of the call's outputs. Who leaves the last step to a library has no own kernel behind it.
std::string find_copied_result(const ActivityList& call, const OwnKernels& own,
                               const std::vector<uint64_t>& outputs);

// The same for copies in another form: `output` is a result scaled and shifted, in any order; a result sent through a function that only
// rises or only falls; or results of libraries added up, each times a number. Between the result and the call's end an own
// kernel ran. What the reference computes on its way to the output is left out: there own kernels took its last steps over.
std::string find_disguised_result(const ActivityList& call, const OwnKernels& own,
                                  const base::ValueSketch& output,
                                  const std::vector<ActivityList>& reference);

// Whether each of the outputs is a library's result into which nothing went that an own kernel computed.
bool is_made_of_given(const ActivityList& call, const std::vector<uint64_t>& outputs);

// Whether a library computed one of the outputs and no own kernel ran behind it.
bool ends_with_library(const ActivityList& call, const OwnKernels& own, const std::vector<uint64_t>& outputs);

}  // namespace cuset::benchmarks
