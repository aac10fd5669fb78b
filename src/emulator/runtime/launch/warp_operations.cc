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
      return for_each_lane(
          lanes, [&](uint32_t lane) { results[lane] = lanes_with(lanes, requests[lane].value, requests); });
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

}  // namespace cuset_emulator
