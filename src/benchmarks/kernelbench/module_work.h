// Which kernels did the work of a module's calls: the answer's own, or those of PyTorch and its libraries.
//
// A kernel is the answer's own if its source defines one of that name and neither a library's namespace nor the
// reference's own run shows that name. The others are the libraries'; copies, fills and conversions among them are not
// work. PyTorch has done the answer's work if in any call libraries launched every kernel of the reference's, each as large;
// or if they computed at least as many steps, and that took half as long as the reference, or half as long as the answer's
// own kernels: then no kernel of the answer replaced anything, whatever it copied afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execute/record/kernel_timeline.h"
#include "judge/verdict/verdict.h"

namespace cuset::benchmarks {

struct WorkShares {  // of one call
  size_t own_launches = 0;
  size_t library_launches = 0;  // that compute
  double own_us = 0;
  double library_us = 0;
  double library_threads = 0;  // of the emulator: elements that the libraries' steps touched
  double copy_us = 0;          // copies and fills, also by kernels
  uint64_t bytes_to_host = 0;
  uint64_t bytes_to_device = 0;
};

using ActivityList = std::vector<execute::DeviceActivity>;

// Kernels of libraries that move or set data. An answer's own are never asked.
bool only_moves_data(const std::string& name);

class OwnKernels {
 public:
  // `names` are those that the answer's source defines; `reference` is what the reference's calls launched.
  OwnKernels(const std::vector<std::string>& names, const std::vector<ActivityList>& reference);
  bool contains(const execute::DeviceActivity& activity) const;
  bool is_empty() const { return names_.empty(); }

 private:
  std::vector<std::string> names_;
};

WorkShares shares_of(const ActivityList& call, const OwnKernels& own);

struct WorkFault {
  judge::Outcome outcome = judge::Outcome::kNoKernel;
  std::string explanation;
};

// Nothing where the answer's kernels did the work in every call. `input_bytes` is the size of a call's inputs.
std::optional<WorkFault> find_unproven_work(const std::vector<ActivityList>& answer,
                                            const std::vector<ActivityList>& reference,
                                            const std::vector<std::string>& own_names, uint64_t input_bytes);

// Beside that, of the emulator: libraries left too little to the answer's kernels. In a call they computed at least half as many
// steps as the reference, or, as `ends_with_library` says of each call, its outputs; and they touched most of the elements that
// the reference's steps touch. Processor times of short steps say nothing: the clock is coarse.
std::optional<WorkFault> find_trifling_work(const std::vector<ActivityList>& answer,
                                            const std::vector<ActivityList>& reference,
                                            const std::vector<std::string>& own_names,
                                            const std::vector<bool>& ends_with_library);

// What lies between the notes "begin" and "end", pair by pair.
std::vector<ActivityList> marked_calls(const ActivityList& timeline);

// The name of a kernel that an answer launched between its calls though the reference, in the same hands, did not;
// empty where there is none. Copies do not count. `calls` and `reference` hold what happened between calls.
std::string find_work_between_calls(const std::vector<ActivityList>& calls,
                                    const std::vector<ActivityList>& reference);

}  // namespace cuset::benchmarks
