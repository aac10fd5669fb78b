#include "runtime/launch/warp_operations.h"

#include <algorithm>

#include "runtime/launch/matrix_operations.h"

namespace cuset_emulator {
namespace {

void give_all(uint32_t lanes, uint64_t result, uint64_t* results) {
  for_each_lane(lanes, [&](uint32_t lane) { results[lane] = result; });
}

uint32_t lanes_with(uint32_t lanes, uint64_t value, const Request* requests) {
  uint32_t equal = 0;
  for_each_lane(lanes, [&](uint32_t lane) {
    if (requests[lane].value == value) equal |= 1u << lane;
  });
  return equal;
}

// The lanes with the same value, of each lane: by a table of the values that were seen.
void match(uint32_t lanes, const Request* requests, uint64_t* results) {
  constexpr uint32_t kPlaces = 64;
  struct Seen {
    uint64_t value = 0;
    uint32_t lanes = 0;  // 0: a free place
  };
  Seen table[kPlaces];
  uint8_t place_of[CUSET_WARP_SIZE];
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint64_t value = requests[lane].value;
    auto place = static_cast<uint32_t>(value * 0x9e3779b97f4a7c15ull >> 58);
    while (table[place].lanes != 0 && table[place].value != value) place = (place + 1) % kPlaces;
    table[place].value = value;
    table[place].lanes |= 1u << lane;
    place_of[lane] = static_cast<uint8_t>(place);
  });
  for_each_lane(lanes, [&](uint32_t lane) { results[lane] = table[place_of[lane]].lanes; });
}

// Lanes that did not arrive have nothing to give: the reader keeps its own value.
void shuffle(uint32_t lanes, const Request* requests, uint64_t* results) {
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint32_t source = requests[lane].argument & 31;
    results[lane] = requests[(lanes >> source & 1) != 0 ? source : lane].value;
  });
}

uint32_t combined(uint32_t operation, uint32_t left, uint32_t right) {
  switch (operation) {
    case CUSET_REDUCE_ADD:
      return left + right;
    case CUSET_REDUCE_MIN:
      return std::min(left, right);
    case CUSET_REDUCE_MAX:
      return std::max(left, right);
    case CUSET_REDUCE_MIN_SIGNED:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(left), static_cast<int32_t>(right)));
    case CUSET_REDUCE_MAX_SIGNED:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(left), static_cast<int32_t>(right)));
    case CUSET_REDUCE_AND:
      return left & right;
    case CUSET_REDUCE_OR:
      return left | right;
    default:
      return left ^ right;
  }
}

void reduce(uint32_t operation, uint32_t lanes, const Request* requests, uint64_t* results) {
  uint32_t total = static_cast<uint32_t>(requests[__builtin_ctz(lanes)].value);
  for_each_lane(lanes & (lanes - 1), [&](uint32_t lane) {
    total = combined(operation, total, static_cast<uint32_t>(requests[lane].value));
  });
  give_all(lanes, total, results);
}

}  // namespace

void complete_warp_operation(uint32_t operation, uint32_t lanes, const Request* requests, uint64_t* results) {
  switch (operation) {
    case CUSET_WARP_SYNC:
      return;
    case CUSET_SHUFFLE:
      return shuffle(lanes, requests, results);
    case CUSET_BALLOT: {
      uint32_t voted = 0;
      for_each_lane(
          lanes, [&](uint32_t lane) { voted |= static_cast<uint32_t>(requests[lane].value != 0) << lane; });
      return give_all(lanes, voted, results);
    }
    case CUSET_MATCH_ANY:
      return match(lanes, requests, results);
    case CUSET_MATCH_ALL: {
      const uint64_t first = requests[__builtin_ctz(lanes)].value;
      return give_all(lanes, lanes_with(lanes, first, requests) == lanes ? lanes : 0, results);
    }
    case CUSET_MATRIX:
      return multiply_matrices(lanes, requests);
    case CUSET_ACTIVE_MASK:
      return give_all(lanes, lanes, results);
    default:
      return reduce(operation, lanes, requests, results);
  }
}

namespace {

// One operation of all threads of a block, as arrays (abi.h).
struct BlockOperation {
  uint32_t operation;
  uint32_t threads;
  const uint32_t* masks;
  const uint32_t* arguments;
  const uint64_t* values;
  uint64_t* results;

  uint32_t lanes_of_warp(uint32_t first) const {
    const uint32_t lanes = threads - first;
    return lanes < CUSET_WARP_SIZE ? (1u << lanes) - 1 : ~0u;
  }
};

void vote(const BlockOperation& block) {
  uint32_t agreed = 0;
  for (uint32_t thread = 0; thread < block.threads; ++thread) agreed += block.values[thread] != 0;
  const uint64_t result = block.operation == CUSET_BARRIER_COUNT ? agreed
                          : block.operation == CUSET_BARRIER_AND ? agreed == block.threads
                                                                 : agreed != 0;
  std::fill(block.results, block.results + block.threads, result);
}

// All lanes name the same mask, and nobody beyond it is there: the usual case.
bool is_one_group(const BlockOperation& block, uint32_t first, uint32_t lanes) {
  const uint32_t mask = block.masks[first + static_cast<uint32_t>(__builtin_ctz(lanes))];
  bool same = (lanes & ~mask) == 0;
  for_each_lane(lanes, [&](uint32_t lane) { same &= block.masks[first + lane] == mask; });
  return same;
}

void shuffle_group(const BlockOperation& block, uint32_t first, uint32_t lanes) {
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint32_t source = block.arguments[first + lane] & 31;
    block.results[first + lane] = block.values[first + ((lanes >> source & 1) != 0 ? source : lane)];
  });
}

void complete_groups(const BlockOperation& block, uint32_t first, uint32_t lanes) {
  Request requests[CUSET_WARP_SIZE];
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint32_t thread = first + lane;
    requests[lane] = {block.operation,
                      block.masks != nullptr ? block.masks[thread] : ~0u,
                      block.arguments != nullptr ? block.arguments[thread] : 0,
                      0,
                      block.values != nullptr ? block.values[thread] : 0,
                      nullptr};
  });
  for (uint32_t open = lanes; open != 0;) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(open));
    uint32_t group = 1u << lane;
    for_each_lane(requests[lane].mask & lanes, [&](uint32_t other) {
      if (requests[other].mask == requests[lane].mask) group |= 1u << other;
    });
    complete_warp_operation(block.operation, group, requests, block.results + first);
    open &= ~group;
  }
}

}  // namespace

void complete_block_operation(const BlockOperation& block) {
  if (block.operation >= CUSET_BARRIER_COUNT && block.operation <= CUSET_BARRIER_OR) return vote(block);
  for (uint32_t first = 0; first < block.threads; first += CUSET_WARP_SIZE) {
    const uint32_t lanes = block.lanes_of_warp(first);
    if (block.operation == CUSET_ACTIVE_MASK) {
      give_all(lanes, lanes, block.results + first);
    } else if (block.operation == CUSET_SHUFFLE && is_one_group(block, first, lanes)) {
      shuffle_group(block, first, lanes);
    } else {
      complete_groups(block, first, lanes);
    }
  }
}

}  // namespace cuset_emulator

extern "C" void cuset_complete_operation(uint32_t operation, uint32_t threads, const uint32_t* masks,
                                         const uint32_t* arguments, const uint64_t* values,
                                         uint64_t* results) {
  // An answer that nobody uses has no place.
  uint64_t unused[1024];
  cuset_emulator::complete_block_operation(
      {operation, threads, masks, arguments, values, results != nullptr ? results : unused});
}
