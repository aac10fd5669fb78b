// Programs that are timed start together and work one at a time: starting (a process, its libraries, a
// context) takes seconds, the work itself often milliseconds.
//
// A program that is ready makes the file `ready` in its working folder and waits until there is a file `go`.
// It is untrusted: one that does not wait gains nothing, since it is then timed on a shared device.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/files/file.h"
#include "emulator/device_account.h"
#include "execute/run/gpu_queue.h"

namespace cuset::execute {

inline constexpr const char* kReadyFile = CUSET_READY_FILE;
inline constexpr const char* kGoFile = CUSET_GO_FILE;

// Opens the gate of a program that does not have to wait. Throws Error where the file cannot be made.
void open_gate(const std::filesystem::path& folder);

// The turns of one program: what it holds while it starts, and what it holds once it is ready. Made before the
// program starts, and destroyed when it has ended.
class GatedTurn {
 public:
  struct Wants {
    std::optional<GpuQueue::Want> to_begin;  // nothing: it does not use the device before it is ready
    std::optional<GpuQueue::Want> to_work;   // nothing: it has no gate
  };

  // Waits for what it wants to begin.
  GatedTurn(GpuQueue& queue, const std::filesystem::path& folder, const Wants& wants);
  ~GatedTurn();
  GatedTurn(const GatedTurn&) = delete;
  GatedTurn& operator=(const GatedTurn&) = delete;

  // How long it has waited at the gate for others so far; this does not count as its time.
  std::chrono::milliseconds waited() const;

  // Whether others were on the device with it. Call it after the program has ended.
  bool was_shared();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  bool is_ready() const;
  void let_go();
  void stop_watching();

  GpuQueue& queue_;
  const base::FileDescriptor folder_;
  const Wants wants_;
  std::optional<GpuQueue::Turn> turn_;
  bool began_shared_ = false;
  std::atomic<Clock::rep> waits_since_ = 0;
  std::atomic<Clock::rep> waited_until_ = 0;
  std::atomic<bool> has_ended_ = false;
  std::thread watcher_;
};

}  // namespace cuset::execute
