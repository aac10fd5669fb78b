#include "benchmarks/kernelbench/emulated_work.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/unordered_digest.h"
#include "benchmarks/kernelbench/copied_results.h"

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;

constexpr uint64_t kLittle = 1 << 10;  // bytes: checksums of the inputs are asked for between calls

uint64_t output_bytes(const std::vector<tasks::Array>& outputs) {
  uint64_t bytes = 0;
  for (const tasks::Array& output : outputs) bytes += output.bytes.size();
  return bytes;
}

bool was_brought_to_host(const ActivityList& activities, const tasks::Array& output) {
  const size_t size = tasks::bytes_of(output.type);
  const uint64_t digest =
      base::placed_digest(output.bytes.data(), output.count(), static_cast<uint32_t>(size));
  return std::any_of(activities.begin(), activities.end(), [&](const DeviceActivity& activity) {
    return activity.kind == Kind::kHostCopy && activity.digest == digest;
  });
}

// The first output that no copy from the device brought, where the outputs were written down.
std::optional<size_t> find_made_by_host(const EmulatedCall& trial) {
  for (size_t i = 0; i < trial.outputs.size(); ++i) {
    const tasks::Array& output = trial.outputs[i];
    if (!output.bytes.empty() && !was_brought_to_host(trial.call.keeping, output) &&
        !was_brought_to_host(trial.call.inside, output))
      return i;
  }
  return std::nullopt;
}

WorkFault no_kernel(std::string explanation) { return {judge::Outcome::kNoKernel, std::move(explanation)}; }

WorkFault refused_copy(std::string_view how, const std::string& source) {
  return no_kernel(
      fmt::format("its kernels {} what PyTorch computed: {}", how, base::in_quotes(source, 120)));
}

// What the process did before the call counts as if it were done in it.
ActivityList from_before(const ModuleCall& call) {
  ActivityList all = call.outside;
  all.insert(all.end(), call.inside.begin(), call.inside.end());
  return all;
}

std::vector<uint64_t> telling_digests(const std::vector<tasks::Array>& outputs) {
  std::vector<uint64_t> digests;
  for (const tasks::Array& output : outputs) {
    if (const std::optional<uint64_t> digest = telling_digest(output)) digests.push_back(*digest);
  }
  return digests;
}

}  // namespace

std::optional<WorkFault> find_host_results(const std::vector<EmulatedCall>& calls, uint64_t input_bytes) {
  const OwnKernels none({}, {});
  const uint64_t most_moved = std::max(input_bytes / 4, kLittle);
  for (size_t i = 0; i < calls.size(); ++i) {
    const ModuleCall& call = calls[i].call;
    if (const std::optional<size_t> made = find_made_by_host(calls[i]))
      return WorkFault{judge::Outcome::kHostWork,
                       fmt::format("its output {} does not come from the device", *made)};
    const WorkShares inside = shares_of(call.inside, none), before = shares_of(call.outside, none),
                     after = shares_of(call.keeping, none);
    if (after.bytes_to_device > kLittle)
      return WorkFault{judge::Outcome::kHostWork, "it brings data of the host to the device after its call"};
    if (before.bytes_to_host + after.bytes_to_host > output_bytes(calls[i].outputs) + kLittle)
      return WorkFault{judge::Outcome::kHostWork, "it brings data to the host between its calls"};
    if (i > 0 && std::max(inside.bytes_to_host, inside.bytes_to_device) > most_moved)
      return WorkFault{judge::Outcome::kHostWork,
                       fmt::format("its call {} moves its data by the host", i + 1)};
  }
  return std::nullopt;
}

bool does_work_between_calls(const std::vector<EmulatedCall>& calls, const OwnKernels& own) {
  const auto computes = [&](const ActivityList& activities) {
    const WorkShares shares = shares_of(activities, own);
    return shares.own_launches + shares.library_launches > 0;
  };
  return std::any_of(calls.begin(), calls.end(), [&](const EmulatedCall& trial) {
    return computes(trial.call.outside) || computes(trial.call.keeping);
  });
}

std::optional<WorkFault> find_library_results(const std::vector<EmulatedCall>& calls,
                                              const std::vector<ActivityList>& reference,
                                              const std::vector<std::string>& own_names) {
  const OwnKernels own(own_names, reference);
  std::vector<std::string> disguised;
  std::vector<ActivityList> inside;
  std::vector<bool> ends;
  size_t made_of_given = 0;
  for (const EmulatedCall& trial : calls) {
    const ActivityList all = from_before(trial.call);
    const std::vector<uint64_t> digests = telling_digests(trial.outputs);
    if (const std::string copied = find_copied_result(all, own, digests); !copied.empty())
      return refused_copy("copy", copied);
    for (const tasks::Array& output : trial.outputs) {
      if (!tasks::is_floating(output.type)) continue;
      const std::string source = find_disguised_result(all, own, sketch_of_output(output), reference);
      if (!source.empty()) disguised.push_back(source);
    }
    if (digests.size() == trial.outputs.size() && is_made_of_given(all, digests)) ++made_of_given;
    inside.push_back(trial.call.inside);
    ends.push_back(ends_with_library(trial.call.inside, own, digests));
  }
  // A single one may be chance: where a bias is small beside the numbers it is added to.
  if (2 * disguised.size() >= calls.size() && !disguised.empty())
    return refused_copy("only change the form of", disguised[0]);
  // In some trials honest kernels may change nothing: those of a ReLU, where nothing is negative.
  if (3 * made_of_given > 2 * calls.size())
    return no_kernel("PyTorch makes its outputs of its inputs; its own kernels only copy, or work beside");
  return find_trifling_work(inside, reference, own_names, ends);
}

}  // namespace cuset::benchmarks
