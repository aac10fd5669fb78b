#include "runtime/launch/schedule.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace cuset_emulator {
namespace {

constexpr uint64_t kLargestMultiplier = 1 << 20;  // times a number of blocks still fits 64 bits

// SplitMix64: good enough to shuffle with, the same everywhere.
uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

struct Wanted {
  uint64_t order = 0;
  bool next_with_each_trial = false;
};

const Wanted& wanted() {
  static const Wanted from_environment = [] {
    Wanted wanted;
    const char* text = std::getenv("CUSET_EMULATOR_SCHEDULE");
    if (text == nullptr) return wanted;
    char* end = nullptr;
    wanted.order = std::strtoull(text, &end, 10);
    wanted.next_with_each_trial = *end == '+';
    return wanted;
  }();
  return from_environment;
}

}  // namespace

Schedule& Schedule::of_program() {
  static Schedule schedule(wanted().order);
  return schedule;
}

void begin_trial(uint64_t trial) {
  if (wanted().next_with_each_trial) Schedule::of_program().take_order(wanted().order + trial);
}

// An affine map modulo the count, with a multiplier coprime to it: no table for a million blocks.
uint64_t Schedule::block_at(uint64_t position, uint64_t count, uint64_t launch) const {
  if (is_natural() || count < 2) return position;
  if (is_backward()) return count - 1 - position;
  const uint64_t draw = mixed(order_ ^ mixed(launch));
  uint64_t multiplier = draw % std::min(count, kLargestMultiplier) | 1;
  while (std::gcd(multiplier, count) != 1) multiplier += 2;
  return (position * multiplier + mixed(draw) % count) % count;
}

bool Schedule::preempts(uint64_t thread, uint32_t place) const {
  constexpr uint32_t kFirst = 4, kSeldom = 32, kLast = 256;
  if (is_natural() || place >= kLast) return false;
  if (is_backward() && place < kFirst) return true;
  const uint64_t draw = mixed(order_ ^ mixed(thread * 64 + place + 1));
  return draw % (place < 2 * kFirst && !is_backward() ? 2 : kSeldom) == 0;
}

void Schedule::shuffle(std::vector<uint16_t>& order, uint64_t stream) const {
  std::iota(order.begin(), order.end(), uint16_t{0});
  if (is_natural()) return;
  if (is_backward()) return std::reverse(order.begin(), order.end());
  uint64_t state = mixed(order_ ^ mixed(stream + 1));
  for (size_t left = order.size(); left > 1; --left) {
    state = mixed(state);
    std::swap(order[left - 1], order[state % left]);
  }
}

}  // namespace cuset_emulator
