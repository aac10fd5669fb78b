#include "runtime/launch/launch_plan.h"

#include <cstring>

namespace cuset_emulator {
namespace {

constexpr uint32_t kCacheLine = 64;

uint32_t rounded_up(uint32_t value, uint32_t step) { return (value + step - 1) / step * step; }

// An odd number of cache lines, so that the frames of a block do not fall into the same sets of the cache.
uint32_t stride_of(uint64_t frame_bytes) {
  const uint32_t lines = rounded_up(static_cast<uint32_t>(frame_bytes), kCacheLine) / kCacheLine;
  return (lines | 1) * kCacheLine;
}

bool is_passed_by_address(uint32_t bytes) { return bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8; }

}  // namespace

LaunchPlan::LaunchPlan(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                       const uint32_t* slot_bytes, uint64_t launch_number)
    : kernel_(kernel),
      shape_(shape),
      schedule_(Schedule::of_program()),
      number_(launch_number),
      slots_(slots, slots + kernel.parameter_count),
      threads_(shape.block[0] * shape.block[1] * shape.block[2]),
      blocks_(uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2]),
      cluster_blocks_(shape.cluster[0] * shape.cluster[1] * shape.cluster[2]) {
  plan_copies(slot_bytes);
  if (suspends())
    frame_stride_ = stride_of(reinterpret_cast<uint64_t>(kernel.start_thread(nullptr, nullptr)));
  number_threads();
}

void LaunchPlan::plan_copies(const uint32_t* slot_bytes) {
  uint32_t end = rounded_up(kernel_.parameter_count * sizeof(uint64_t), kCacheLine);
  for (uint32_t slot = 0; slot < kernel_.parameter_count; ++slot) {
    if (kernel_.parameter_is_written[slot] == 0 || !is_passed_by_address(slot_bytes[slot])) continue;
    copies_.push_back({slot, slot_bytes[slot], end});
    end = rounded_up(end + slot_bytes[slot], kCacheLine);
  }
  if (!copies_.empty()) private_bytes_ = end;
}

void LaunchPlan::number_threads() {
  indices_.reserve(threads_);
  for (uint32_t z = 0; z < shape_.block[2]; ++z) {
    for (uint32_t y = 0; y < shape_.block[1]; ++y) {
      for (uint32_t x = 0; x < shape_.block[0]; ++x) {
        indices_.push_back({static_cast<uint16_t>(x), static_cast<uint16_t>(y), static_cast<uint16_t>(z)});
      }
    }
  }
}

const uint64_t* LaunchPlan::slots_for_thread(char* memory) const {
  if (copies_.empty()) return slots_.data();
  std::memcpy(memory, slots_.data(), slots_.size() * sizeof(uint64_t));
  auto* own = reinterpret_cast<uint64_t*>(memory);
  for (const Copy& copy : copies_) {
    std::memcpy(memory + copy.offset, reinterpret_cast<const void*>(slots_[copy.slot]), copy.bytes);
    own[copy.slot] = reinterpret_cast<uint64_t>(memory + copy.offset);
  }
  return own;
}

void LaunchPlan::block_index(uint64_t block, uint32_t index[3]) const {
  index[0] = static_cast<uint32_t>(block % shape_.grid[0]);
  index[1] = static_cast<uint32_t>(block / shape_.grid[0] % shape_.grid[1]);
  index[2] = static_cast<uint32_t>(block / (uint64_t{shape_.grid[0]} * shape_.grid[1]));
}

uint64_t LaunchPlan::block_of_cluster(uint64_t cluster, uint32_t rank) const {
  uint64_t number = 0, row = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t size = shape_.cluster[axis], clusters = shape_.grid[axis] / size;
    number += (cluster % clusters * size + rank % size) * row;
    row *= shape_.grid[axis];
    cluster /= clusters;
    rank /= size;
  }
  return number;
}

}  // namespace cuset_emulator
