#include "judge/device_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "base/human_readable.h"
#include "judge/compare.h"
#include "judge/downloads.h"
#include "judge/harness.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kFewElements = 16;    // of an input that the host may know
constexpr uint64_t kAllowedShare = 16;   // one part in so many of the inputs
constexpr uint64_t kAllowedAlways = 64;  // bytes: flags, counters, a scalar

bool same_sizes(const std::vector<tasks::Array>& one, const std::vector<tasks::Array>& other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
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

// The next number of the same sign, starting from a small one.
template <typename Bits>
Bits next_number(Bits bits, Bits smallest) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  return (bits & ~kSign) < smallest ? (bits & kSign) | smallest : bits + 1;
}

// The bits of all numbers so far; zeros, which hosts also pad with, count as seen.
template <typename Bits>
struct SeenNumbers {
  std::unordered_set<Bits> bits{0, Bits{1} << (8 * sizeof(Bits) - 1)};
};

template <typename Bits>
void make_distinct(std::vector<std::byte>& bytes, Bits smallest, SeenNumbers<Bits>& seen) {
  for (size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    while (!seen.bits.insert(bits).second) bits = next_number(bits, smallest);
    std::memcpy(bytes.data() + at, &bits, sizeof bits);
  }
}

struct SeenInputs {
  SeenNumbers<uint32_t> floats;
  SeenNumbers<uint64_t> doubles;
};

void make_distinct(tasks::Array& array, SeenInputs& seen) {
  constexpr uint32_t kThousandth = 0x3a83126f;
  constexpr uint64_t kThousandthOfDouble = 0x3f50624dd2f1a9fc;
  if (array.type == tasks::NumberType::kFloat32)
    make_distinct<uint32_t>(array.bytes, kThousandth, seen.floats);
  if (array.type == tasks::NumberType::kFloat64)
    make_distinct<uint64_t>(array.bytes, kThousandthOfDouble, seen.doubles);
}

// "out[3] is 0, wanted 1.5", or how the run ended.
std::string what_went_wrong(const tasks::Task& task, const ExpectedTrial& expected,
                            const ProgramOutputs& got) {
  if (got.outcome != Outcome::kCorrect)
    return got.explanation.empty() ? std::string(name_of(got.outcome)) : got.explanation;
  Trial trial;
  trial.variation = expected.variation;
  for (size_t i = 0; i < got.outputs.size(); ++i)
    trial.outputs.push_back(
        compare(task.outputs[i].name, got.outputs[i], expected.outputs[i], expected.tolerances[i]));
  return explain_wrong(trial);
}

std::unordered_set<uint32_t> words_of(const std::vector<tasks::Array>& arrays) {
  std::unordered_set<uint32_t> words;
  for (const tasks::Array& array : arrays) {
    for (size_t at = 0; at + 4 <= array.bytes.size(); at += 4) {
      uint32_t word;
      std::memcpy(&word, array.bytes.data() + at, 4);
      words.insert(word);
    }
  }
  return words;
}

// Whether every word of the outputs is one of the inputs: transposing, gathering, sorting.
bool only_rearranges(const ExpectedTrial& trial) {
  std::vector<tasks::Array> outputs;
  for (size_t i = 0; i < trial.outputs.size(); ++i) {
    const tasks::Array& wide = trial.outputs[i];  // oracles may give wider types
    const tasks::NumberType type = tasks::is_floating(wide.type) ? tasks::NumberType::kFloat32 : wide.type;
    outputs.push_back(type == wide.type ? wide
                                        : tasks::Array::from_doubles(type, wide.shape, wide.to_doubles()));
  }
  const std::unordered_set<uint32_t> known = words_of(trial.inputs), wanted = words_of(outputs);
  const auto is_known = [&](uint32_t word) { return word == 0 || known.contains(word); };
  return std::all_of(wanted.begin(), wanted.end(), is_known);
}

// Of a run with right outputs: whether the host was given too much beside them.
DeviceProof judge_downloads(const tasks::Task& task, const ExpectedTrial& real,
                            const ProgramRunOptions& options, const SplitProgramRun& run) {
  const uint64_t allowed = std::max(kAllowedAlways, bytes_of(real.inputs) / kAllowedShare) +
                           (options.in_harness ? 2 * kGuardBytes * task.outputs.size() : 0);
  const uint64_t beside = bytes_beside_outputs(run.downloads, run.outputs.outputs);
  if (beside > allowed)
    return {DeviceProof::State::kRefuted,
            fmt::format("the host was given {} of intermediate results, more than {}",
                        base::human_bytes(beside), base::human_bytes(allowed))};
  return {DeviceProof::State::kProven, ""};
}

}  // namespace

std::vector<tasks::Array> inputs_for_host(std::vector<tasks::Array> other,
                                          const std::vector<tasks::Array>& real) {
  const bool has_large = std::any_of(real.begin(), real.end(),
                                     [](const tasks::Array& array) { return array.count() > kFewElements; });
  SeenInputs seen;
  for (size_t i = 0; i < real.size(); ++i) {
    if (has_large && real[i].count() <= kFewElements) {
      other[i] = real[i];
    } else {
      make_distinct(other[i], seen);
    }
  }
  return other;
}

DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProgramRunOptions& options) {
  const ExpectedTrial& real = expected.trials[0];
  const SplitInputs inputs{inputs_for_host(inputs_to_show(expected), real.inputs), real.inputs,
                           only_rearranges(real)};
  const std::optional<SplitProgramRun> run = runner.run_split(inputs, options);
  if (!run)
    return {DeviceProof::State::kImpossible,
            "its work cannot be proven: this installation lacks cuset_gpu_device or the emulator's runtime"};
  if (run->outputs.outcome == Outcome::kUnsupported)
    return {DeviceProof::State::kImpossible,
            fmt::format("its work cannot be proven: {} is not supported in a proof", run->outputs.explanation)};
  const std::string wrong = what_went_wrong(task, real, run->outputs);
  DeviceProof proof{DeviceProof::State::kRefuted,
                    fmt::format("with inputs that only its kernels see, it is wrong: {}", wrong)};
  // A host that ended as if all were well has not noticed anything: it computed the outputs itself.
  if (!wrong.empty() && run->outputs.outcome == Outcome::kCorrect) return proof;
  if (wrong.empty()) proof = judge_downloads(task, real, options, *run);
  if (proof.state == DeviceProof::State::kProven) return proof;
  const std::optional<ProgramOutputs> replayed = runner.run_and_replay(inputs, options);
  if (replayed && what_went_wrong(task, real, *replayed).empty()) proof = {DeviceProof::State::kProven, ""};
  return proof;
}

}  // namespace cuset::judge
