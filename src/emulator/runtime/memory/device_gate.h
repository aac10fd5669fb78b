// Keeps the host out of device memory: the arena is inaccessible unless a kernel runs or a call of the
// runtime works on it.
//
// Opening everything costs system calls that walk the memory in use, so calls open only the part they touch,
// a row of launches leaves the gate open until something synchronizes, and a program that spends too much of
// its time on the gate finds it open more often.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "runtime/memory/arena.h"

namespace cuset_emulator {

class DeviceGate {
 public:
  explicit DeviceGate(const Arena& arena) : arena_(arena) {}

  void open();  // all of it, until as many calls of close
  void close();
  void close_after_launch();
  void close_now();  // unless somebody uses it
  // From now on it is closed whenever nobody uses it, whatever that costs.
  void never_stay_open();

  struct Range {
    uint64_t address = 0;
    uint64_t bytes = 0;  // what lies outside the arena needs no opening
  };
  // Ranges accessible while this lives.
  class Passage {
   public:
    Passage(DeviceGate& gate, const Range& first, const Range& second);
    ~Passage();
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

   private:
    DeviceGate& gate_;
    std::unique_lock<std::mutex> lock_;  // held if only the ranges are open
    Range ranges_[2];
  };

 private:
  using Clock = std::chrono::steady_clock;

  void open_all();
  void close_all();
  bool may_close() const;
  Range chunks_of(const Range& range) const;
  void protect(const Range& range, int protection);

  const Arena& arena_;
  std::mutex mutex_;
  int users_ = 0;
  uint64_t open_bytes_ = 0;  // from the arena's base
  int launches_in_a_row_ = 0;
  bool strict_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::duration spent_{0};
};

}  // namespace cuset_emulator
