#include "runtime/memory/device_gate.h"

#include <sys/mman.h>

#include <algorithm>

namespace cuset_emulator {
namespace {

constexpr int kEagerCloses = 64;
constexpr std::chrono::milliseconds kFreeTime{200};  // spent on the gate before its share of the run counts
constexpr int kLargestShare = 20;                    // one part in twenty

}  // namespace

void DeviceGate::open() {
  std::lock_guard lock(mutex_);
  ++users_;
  open_all();
}

void DeviceGate::close() {
  std::lock_guard lock(mutex_);
  if (--users_ == 0) close_all();
}

void DeviceGate::close_after_launch() {
  std::lock_guard lock(mutex_);
  ++launches_in_a_row_;
  if (--users_ == 0 && (strict_ || launches_in_a_row_ <= kEagerCloses) && may_close()) close_all();
}

void DeviceGate::close_now() {
  std::lock_guard lock(mutex_);
  launches_in_a_row_ = 0;
  if (users_ == 0 && may_close()) close_all();
}

void DeviceGate::open_all() {
  uint64_t end = (arena_.used_end() - arena_.base() + Arena::kChunk - 1) / Arena::kChunk * Arena::kChunk;
  if (end <= open_bytes_) return;
  protect({arena_.base() + open_bytes_, end - open_bytes_}, PROT_READ | PROT_WRITE);
  open_bytes_ = end;
}

void DeviceGate::close_all() {
  if (open_bytes_ == 0) return;
  protect({arena_.base(), open_bytes_}, PROT_NONE);
  open_bytes_ = 0;
}

void DeviceGate::never_stay_open() {
  std::lock_guard lock(mutex_);
  strict_ = true;
}

bool DeviceGate::may_close() const {
  return strict_ || spent_ < kFreeTime || spent_ * kLargestShare < Clock::now() - start_;
}

void DeviceGate::protect(const Range& range, int protection) {
  if (range.bytes == 0) return;
  Clock::time_point begin = Clock::now();
  mprotect(reinterpret_cast<void*>(range.address), range.bytes, protection);
  spent_ += Clock::now() - begin;
}

// Whole chunks, because changing part of a huge page breaks it up.
DeviceGate::Range DeviceGate::chunks_of(const Range& range) const {
  uint64_t begin = std::max(range.address, arena_.base());
  uint64_t end = std::min(range.address + range.bytes, arena_.base() + arena_.bytes());
  if (begin >= end) return {};
  begin = begin / Arena::kChunk * Arena::kChunk;
  end = (end + Arena::kChunk - 1) / Arena::kChunk * Arena::kChunk;
  return {begin, end - begin};
}

DeviceGate::Passage::Passage(DeviceGate& gate, const Range& first, const Range& second)
    : gate_(gate), lock_(gate.mutex_), ranges_{gate.chunks_of(first), gate.chunks_of(second)} {
  if (gate_.users_ > 0 || gate_.open_bytes_ > 0) {
    ++gate_.users_;
    gate_.open_all();
    lock_.unlock();
    return;
  }
  for (const Range& range : ranges_) gate_.protect(range, PROT_READ | PROT_WRITE);
}

DeviceGate::Passage::~Passage() {
  if (lock_.owns_lock()) {
    for (const Range& range : ranges_) gate_.protect(range, PROT_NONE);
    return;
  }
  std::lock_guard lock(gate_.mutex_);
  --gate_.users_;  // who had opened it closes it
}

}  // namespace cuset_emulator
