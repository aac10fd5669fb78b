#include "benchmarks/kernelbench/module_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/lower_case.h"
#include "judge/verdict/rules.h"

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;

constexpr double kShareOfReference = 0.5;  // of its time, from which on libraries did the work
constexpr double kShareOfOwn = 0.5;        // likewise, of the answer's own kernels
constexpr double kShareOfElements =
    0.55;  // of those that the reference's steps touch; a maximum beside an own softmax has 0.5
constexpr uint64_t kSmallResult = 1 << 10;  // bytes that any answer may look at on the host

bool is_library_step(const DeviceActivity& activity, const OwnKernels& own) {
  return activity.kind == Kind::kKernel && !own.contains(activity) && !only_moves_data(activity.name);
}

std::map<std::string, size_t> counts_of(const ActivityList& activities) {
  std::map<std::string, size_t> counts;
  for (const DeviceActivity& activity : activities) {
    if (activity.kind == Kind::kKernel && !only_moves_data(activity.name)) ++counts[activity.name];
  }
  return counts;
}

// The call with the least of what `value` tells: others may have been on the device meanwhile.
template <typename Value>
auto least_of(const std::vector<WorkShares>& calls, Value value) {
  auto least = std::numeric_limits<decltype(value(calls[0]))>::max();
  for (const WorkShares& call : calls) least = std::min(least, value(call));
  return least;
}

std::vector<WorkShares> shares_of_calls(const std::vector<ActivityList>& calls, const OwnKernels& own) {
  std::vector<WorkShares> shares;
  for (const ActivityList& call : calls) shares.push_back(shares_of(call, own));
  return shares;
}

// A reference that only moves data: then that is the work.
WorkShares with_copies_as_work(WorkShares shares) {
  shares.library_us += shares.copy_us;
  shares.library_launches += shares.copy_us > 0 ? 1 : 0;
  return shares;
}

// The sizes of a call's library kernels that compute, by name, the largest first.
std::map<std::string, std::vector<uint64_t>> library_sizes(const ActivityList& call, const OwnKernels& own) {
  std::map<std::string, std::vector<uint64_t>> sizes;
  for (const DeviceActivity& activity : call) {
    if (is_library_step(activity, own)) sizes[activity.name].push_back(activity.threads());
  }
  for (auto& [name, of_name] : sizes) std::sort(of_name.rbegin(), of_name.rend());
  return sizes;
}

// Whether libraries launched all that computes in the reference's call, each kernel as large as there.
bool repeats(const ActivityList& reference, const ActivityList& call, const OwnKernels& own) {
  const auto wanted = library_sizes(reference, own), launched = library_sizes(call, own);
  return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
    const auto found = launched.find(entry.first);
    return found != launched.end() && found->second.size() >= entry.second.size() &&
           std::equal(entry.second.begin(), entry.second.end(), found->second.begin(), std::less_equal<>());
  });
}

// Of all calls.
std::string longest_library_kernel(const std::vector<ActivityList>& calls, const OwnKernels& own) {
  const DeviceActivity* longest = nullptr;
  for (const ActivityList& call : calls) {
    for (const DeviceActivity& activity : call) {
      if (is_library_step(activity, own) && (longest == nullptr || activity.us() > longest->us()))
        longest = &activity;
    }
  }
  return longest == nullptr ? "a copy" : base::in_quotes(longest->name, 120);
}

}  // namespace

bool only_moves_data(const std::string& name) {
  const std::string small = base::in_lower_case(name);
  for (const char* word : {"copy", "fill", "memset", "memcpy", "arange"}) {
    if (small.find(word) != small.npos) return true;
  }
  return false;
}

OwnKernels::OwnKernels(const std::vector<std::string>& names, const std::vector<ActivityList>& reference)
    : names_(names) {
  for (const ActivityList& call : reference) {
    for (const DeviceActivity& activity : call) {
      // Those in a namespace of a library are known by that.
      if (activity.kind == Kind::kKernel && !judge::is_of_library(activity.name))
        std::erase(names_, judge::unqualified_name(activity.name));
    }
  }
}

bool OwnKernels::contains(const DeviceActivity& activity) const {
  if (activity.kind != Kind::kKernel || judge::is_of_library(activity.name)) return false;
  return std::find(names_.begin(), names_.end(), judge::unqualified_name(activity.name)) != names_.end();
}

WorkShares shares_of(const ActivityList& call, const OwnKernels& own) {
  WorkShares shares;
  for (const DeviceActivity& activity : call) {
    if (!activity.is_work()) continue;
    if (activity.kind == Kind::kCopy && activity.name == "DtoH") shares.bytes_to_host += activity.bytes;
    if (activity.kind == Kind::kCopy && activity.name == "HtoD") shares.bytes_to_device += activity.bytes;
    if (own.contains(activity)) {
      ++shares.own_launches;
      shares.own_us += activity.us();
    } else if (activity.kind != Kind::kKernel || only_moves_data(activity.name)) {
      shares.copy_us += activity.us();
    } else {
      ++shares.library_launches;
      shares.library_us += activity.us();
      shares.library_threads += static_cast<double>(activity.threads());
    }
  }
  return shares;
}

std::optional<WorkFault> find_unproven_work(const std::vector<ActivityList>& answer,
                                            const std::vector<ActivityList>& reference,
                                            const std::vector<std::string>& own_names, uint64_t input_bytes) {
  const OwnKernels own(own_names, reference), none({}, reference);
  std::vector<WorkShares> calls = shares_of_calls(answer, own), wanted = shares_of_calls(reference, none);
  if (calls.empty() || least_of(calls, [](const WorkShares& call) { return call.own_launches; }) == 0)
    return WorkFault{judge::Outcome::kNoKernel, "no kernel of the answer's own was launched on every input"};
  const uint64_t most_moved = std::max(input_bytes / 4, kSmallResult);
  if (least_of(calls, [](const WorkShares& call) { return call.bytes_to_host; }) > most_moved)
    return WorkFault{judge::Outcome::kHostWork, "every call brings its data to the host"};
  // The host knows the inputs without asking the device: their files are open to it.
  if (least_of(calls, [](const WorkShares& call) { return call.bytes_to_device; }) > most_moved)
    return WorkFault{judge::Outcome::kHostWork, "every call brings data of the host to the device"};
  if (wanted.empty()) return std::nullopt;
  const auto launches = [](const WorkShares& call) { return call.library_launches; };
  const auto time = [](const WorkShares& call) { return call.library_us; };
  if (least_of(wanted, launches) == 0) {
    std::transform(calls.begin(), calls.end(), calls.begin(), with_copies_as_work);
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), with_copies_as_work);
  }
  // One call in which libraries did the work is one too many.
  const size_t many = std::max<size_t>(1, least_of(wanted, launches));
  std::erase_if(calls, [&](const WorkShares& call) { return call.library_launches < many; });
  const bool all_again = std::any_of(answer.begin(), answer.end(), [&](const ActivityList& call) {
    return repeats(reference[0], call, own);
  });
  if (calls.empty() && !all_again) return std::nullopt;
  const double library_us = calls.empty() ? 0 : least_of(calls, time), wanted_us = least_of(wanted, time),
               own_us =
                   calls.empty() ? 0 : least_of(calls, [](const WorkShares& call) { return call.own_us; });
  const bool little_time = library_us < kShareOfReference * wanted_us && library_us < kShareOfOwn * own_us;
  if (!all_again && little_time) return std::nullopt;
  return WorkFault{
      judge::Outcome::kNoKernel,
      fmt::format("PyTorch's kernels do the work ({:.1f} us of a call, its own kernels {:.1f} us): {}",
                  library_us, own_us, longest_library_kernel(answer, own))};
}

std::optional<WorkFault> find_trifling_work(const std::vector<ActivityList>& answer,
                                            const std::vector<ActivityList>& reference,
                                            const std::vector<std::string>& own_names,
                                            const std::vector<bool>& ends_with_library) {
  const OwnKernels own(own_names, reference), none({}, reference);
  const std::vector<WorkShares> wanted = shares_of_calls(reference, none);
  if (wanted.empty()) return std::nullopt;
  const size_t steps = least_of(wanted, [](const WorkShares& call) { return call.library_launches; });
  const auto touched = [](const WorkShares& call) { return call.library_threads; };
  std::vector<WorkShares> left;
  for (size_t i = 0; i < answer.size(); ++i) {
    const WorkShares shares = shares_of(answer[i], own);
    if (2 * shares.library_launches >= std::max<size_t>(2, steps) || ends_with_library[i])
      left.push_back(shares);
  }
  if (left.empty() || steps == 0) return std::nullopt;
  const double share = least_of(left, touched) / std::max(1.0, least_of(wanted, touched));
  if (share < kShareOfElements) return std::nullopt;
  return WorkFault{judge::Outcome::kNoKernel,
                   fmt::format("PyTorch's operations do most of the work ({:.0f} % of the elements that the "
                               "reference's touch): {}",
                               100 * share, longest_library_kernel(answer, own))};
}

std::vector<ActivityList> marked_calls(const ActivityList& timeline) {
  std::vector<ActivityList> calls;
  bool inside = false;
  for (const DeviceActivity& activity : timeline) {
    if (activity.kind == Kind::kLaunch) continue;
    if (activity.kind != Kind::kNote) {
      if (inside) calls.back().push_back(activity);
      continue;
    }
    if (activity.name == "begin") calls.emplace_back();
    inside = activity.name == "begin";
  }
  return calls;
}

std::string find_work_between_calls(const std::vector<ActivityList>& calls,
                                    const std::vector<ActivityList>& reference) {
  std::map<std::string, size_t> allowed;
  for (const ActivityList& between : reference) {
    for (const auto& [name, count] : counts_of(between)) allowed[name] = std::max(allowed[name], count);
  }
  for (const ActivityList& between : calls) {
    for (const auto& [name, count] : counts_of(between)) {
      const auto found = allowed.find(name);
      if (found == allowed.end() || count > found->second) return name;
    }
  }
  return "";
}

}  // namespace cuset::benchmarks
