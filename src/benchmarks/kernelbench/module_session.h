// The conversation with a process that serves one model (kernelbench_child.py): commands through one pipe, replies
// through another, one at a time. What counts is on this side: the clock around a command, and the slice of the
// device's timeline that belongs to it. Replies are the answer's word and are not believed.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/json/json.h"
#include "execute/record/kernel_timeline.h"

namespace cuset::benchmarks {

class ModuleChannel {
 public:
  // Makes the pipes in `folder`, in place of whatever an earlier process left under their names. Throws Error.
  explicit ModuleChannel(const std::filesystem::path& folder);

  struct Reply {
    base::Json value;  // an object
    double us = 0;     // from the command to the end of the reply, by our clock
  };
  // Nothing where the process ended, or answered with anything but an object.
  std::optional<Reply> ask(const std::string& command);
  void end();  // the process may end

  // Called from another thread: there will be no further replies.
  void process_ended() { ended_ = true; }
  // How long the process has waited for commands so far; not before the first. Safe to call from another thread.
  std::chrono::milliseconds waited() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::string> read_line();
  void stop_waiting();

  base::FileDescriptor commands_;
  base::FileDescriptor replies_;
  std::string received_;
  std::atomic<bool> ended_ = false;
  std::atomic<Clock::rep> waits_since_ = 0;  // 0: it does not wait
  std::atomic<Clock::rep> waited_ = 0;
};

// One call of the model.
struct ModuleCall {
  double wall_us = 0;     // by our clock
  double between_us = 0;  // by our clock, for the inputs before it and the digest after it
  double event_us = 0;    // as the process says; 0 on a CPU
  std::vector<execute::DeviceActivity> inside;   // during the call
  std::vector<execute::DeviceActivity> outside;  // since the call before, without this one
  std::vector<execute::DeviceActivity>
      keeping;                               // while its outputs were written down, where that was looked at
  base::Json kept;                           // what the process says of the outputs it wrote down
  std::vector<std::vector<double>> digests;  // of its outputs, in case that it was asked
  std::vector<std::optional<uint64_t>> input_sums;  // checksums of its inputs afterwards

  double span_us() const { return execute::span_us(inside); }
};

// Inputs of a trial in files.
struct TrialFile {
  size_t trial = 0;
  uint32_t seed = 0;  // of random numbers that the call draws
  uint64_t word = 0;  // with which it is read on the emulator
  std::filesystem::path folder;
};

// What calls the commands one by one. `timeline` is null where no timeline is written.
class ModuleSession {
 public:
  ModuleSession(ModuleChannel& channel, execute::KernelTimelineFile* timeline)
      : channel_(channel), timeline_(timeline) {}

  // Each returns false once the process does not answer.
  bool load();  // needs no device
  // The model, on the device. `folder` holds what the trials need, also the reference's weights; an oracle makes them.
  bool construct(const std::filesystem::path& folder = {});
  bool make();  // of an oracle: the trials
  bool warm_up(int milliseconds);
  // The inputs of a trial, whose files are in `folder`.
  bool take_file(const TrialFile& file, ModuleCall& call);
  bool take_seed(uint32_t seed, ModuleCall& call);
  bool run(ModuleCall& call);
  bool compute_exactly();
  bool take_digest(uint32_t secret, ModuleCall& call);
  bool check_inputs(uint32_t factor, uint32_t offset, ModuleCall& call);
  bool keep(const std::string& name, ModuleCall& call);
  void look_at_keeping(ModuleCall& call) { call.keeping = slice(); }
  // What was done on the device since the last look was the judge's own wish.
  void pass_over() { slice(); }

  // Why the timeline cannot be believed; empty where it can: it was changed, recording was interrupted, or kernels were
  // launched that it does not show.
  std::string find_tampering() const;

  // A weight of the reference for which the model has no tensor, as the process says; empty where there is none.
  const std::string& missing_weight() const { return missing_weight_; }

  static constexpr int kFlushAttempts = 20;  // until kernels that were launched are in the timeline

 private:
  bool prepare(const std::string& command, ModuleCall& call);
  std::vector<execute::DeviceActivity> slice();
  void collect(std::vector<execute::DeviceActivity>& activities);
  std::string first_unseen() const;  // the name of a kernel that was launched and is not in the timeline

  ModuleChannel& channel_;
  execute::KernelTimelineFile* timeline_;
  std::map<std::string, int64_t> unseen_;  // launches without a kernel, by name
  std::string tampering_;
  std::string missing_weight_;
};

// The checksum that the process computes of a tensor's bytes: every element's bits as a signed whole number (a byte as
// an unsigned one) times (its index * factor + offset), added up modulo 2^64.
uint64_t checksum_of(std::string_view bytes, size_t element_bytes, uint32_t factor, uint32_t offset);

}  // namespace cuset::benchmarks
