#include "judge/device_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/human_readable.h"
#include "judge/compare.h"
#include "judge/harness.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kFewElements = 16;    // of an input that the host may know
constexpr uint64_t kAllowedShare = 16;   // one part in so many of the inputs
constexpr uint64_t kAllowedAlways = 64;  // bytes: flags, counters, a scalar
constexpr size_t kShortDownload = 32;    // bytes; looked for near the last one only
constexpr size_t kNearby = 4096;

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool same_sizes(const std::vector<tasks::Array>& one, const std::vector<tasks::Array>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const tasks::Array& a, const tasks::Array& b) { return a.bytes.size() == b.bytes.size(); });
}

// The same numbers in another order, where a task has only one trial.
std::vector<tasks::Array> reversed(std::vector<tasks::Array> arrays) {
  for (tasks::Array& array : arrays) {
    const size_t width = tasks::bytes_of(array.type);
    for (size_t i = 0, j = array.bytes.size(); i + width < j; i += width) {
      j -= width;
      std::swap_ranges(array.bytes.begin() + static_cast<ptrdiff_t>(i),
                       array.bytes.begin() + static_cast<ptrdiff_t>(i + width),
                       array.bytes.begin() + static_cast<ptrdiff_t>(j));
    }
  }
  return arrays;
}

// Inputs as large as those of trial 0, with other contents.
std::vector<tasks::Array> inputs_to_show(const Expected& expected) {
  const std::vector<tasks::Array>& real = expected.trials[0].inputs;
  for (size_t i = 1; i < expected.trials.size(); ++i)
    if (same_sizes(expected.trials[i].inputs, real)) return expected.trials[i].inputs;
  return reversed(real);
}

uint64_t bytes_of(const std::vector<tasks::Array>& arrays) {
  uint64_t bytes = 0;
  for (const tasks::Array& array : arrays) bytes += array.bytes.size();
  return bytes;
}

// Follows downloads through one output, from its beginning to its end.
class OutputCursor {
 public:
  explicit OutputCursor(std::string_view output) : output_(output) {}

  // How many bytes of the download are accounted for by this output.
  size_t take(std::string_view download) {
    if (output_.empty()) return 0;
    if (download.size() >= output_.size()) return download.find(output_) != download.npos ? output_.size() : 0;
    const bool is_short = download.size() < kShortDownload;
    const std::string_view near = output_.substr(next_, is_short ? kNearby : output_.npos);
    size_t found = near.find(download);
    if (found != near.npos) {
      found += next_;
    } else if (!is_short) {
      found = output_.find(download);
    }
    if (found == output_.npos) return 0;
    next_ = found + download.size();
    return download.size();
  }

 private:
  std::string_view output_;
  size_t next_ = 0;
};

// "out[3] is 0, wanted 1.5", or how the run ended.
std::string what_went_wrong(const tasks::Task& task, const ExpectedTrial& expected, const ProgramOutputs& got) {
  if (got.outcome != Outcome::kCorrect) return got.explanation.empty() ? std::string(name_of(got.outcome)) : got.explanation;
  Trial trial;
  trial.variation = expected.variation;
  for (size_t i = 0; i < got.outputs.size(); ++i)
    trial.outputs.push_back(
        compare(task.outputs[i].name, got.outputs[i], expected.outputs[i], expected.tolerances[i]));
  return explain_wrong(trial);
}

}  // namespace

std::vector<tasks::Array> inputs_for_host(const std::vector<tasks::Array>& shown,
                                          const std::vector<tasks::Array>& real) {
  const bool has_large = std::any_of(real.begin(), real.end(),
                                     [](const tasks::Array& array) { return array.count() > kFewElements; });
  std::vector<tasks::Array> inputs = shown;
  for (size_t i = 0; has_large && i < real.size(); ++i)
    if (real[i].count() <= kFewElements) inputs[i] = real[i];
  return inputs;
}

uint64_t bytes_beside_outputs(std::span<const std::vector<std::byte>> downloads,
                              const std::vector<tasks::Array>& outputs) {
  std::vector<OutputCursor> cursors;
  for (const tasks::Array& output : outputs) cursors.emplace_back(text_of(output.bytes));
  uint64_t beside = 0;
  for (const std::vector<std::byte>& download : downloads) {
    size_t accounted = 0;
    for (OutputCursor& cursor : cursors) accounted = std::max(accounted, cursor.take(text_of(download)));
    beside += download.size() - accounted;
  }
  return beside;
}

DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProgramRunOptions& options) {
  const ExpectedTrial& real = expected.trials[0];
  const std::vector<tasks::Array> shown = inputs_for_host(inputs_to_show(expected), real.inputs);
  const std::optional<SplitProgramRun> run = runner.run_split(shown, real.inputs, options);
  if (!run) return {};
  const std::string wrong = what_went_wrong(task, real, run->outputs);
  if (!wrong.empty())
    return {DeviceProof::State::kRefuted,
            fmt::format("with inputs that only its kernels see, it is wrong: {}", wrong)};
  const uint64_t allowed = std::max(kAllowedAlways, bytes_of(real.inputs) / kAllowedShare) +
                           (options.in_harness ? 2 * kGuardBytes * task.outputs.size() : 0);
  const uint64_t beside = bytes_beside_outputs(run->downloads, run->outputs.outputs);
  if (beside > allowed)
    return {DeviceProof::State::kRefuted,
            fmt::format("the host was given {} of intermediate results, more than {}", base::human_bytes(beside),
                        base::human_bytes(allowed))};
  return {DeviceProof::State::kProven, ""};
}

}  // namespace cuset::judge
