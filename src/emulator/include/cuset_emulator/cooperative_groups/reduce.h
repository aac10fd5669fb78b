// Cooperative groups: reductions over the lanes of a group, and the operations they take.
#pragma once

#include "cuset_emulator/cooperative_groups/coalesced.h"

namespace cooperative_groups {

#define CUSET_GROUP_OPERATION(name, expression)                                  \
  template <class T>                                                             \
  struct name {                                                                  \
    __device__ T operator()(const T& a, const T& b) const { return expression; } \
  };

CUSET_GROUP_OPERATION(plus, a + b)
CUSET_GROUP_OPERATION(less, b < a ? b : a)
CUSET_GROUP_OPERATION(greater, a < b ? b : a)
CUSET_GROUP_OPERATION(bit_and, a& b)
CUSET_GROUP_OPERATION(bit_or, a | b)
CUSET_GROUP_OPERATION(bit_xor, a ^ b)

#undef CUSET_GROUP_OPERATION

// Every lane gets the reduction of all. Tiles exchange by halves, so all lanes compute the same sum.
template <unsigned int Size, class Parent, class T, class Operation>
CUSET_DEVICE_FUNCTION auto reduce(const thread_block_tile<Size, Parent>& tile, const T& value,
                                  Operation&& operation) {
  T result = value;
  for (unsigned int distance = Size / 2; distance > 0; distance /= 2) {
    result = operation(result, tile.shfl_xor(result, distance));
  }
  return result;
}

// Any number of lanes: each step folds the upper part onto the lower one; rank 0 hands out the end.
template <class T, class Operation>
CUSET_DEVICE_FUNCTION auto reduce(const coalesced_group& group, const T& value, Operation&& operation) {
  T result = value;
  const unsigned int rank = group.thread_rank();
  for (unsigned int count = group.size(); count > 1;) {
    const unsigned int half = (count + 1) / 2;
    const T other = group.shfl_down(result, half);
    if (rank + half < count) result = operation(result, other);
    count = half;
  }
  return group.shfl(result, 0);
}

template <class Group, class Atomic, class T, class Operation>
CUSET_DEVICE_FUNCTION void reduce_store_async(const Group& group, Atomic& to, const T& value,
                                              Operation&& operation) {
  const T result = reduce(group, value, operation);
  if (group.thread_rank() == 0) to.store(result);
}

}  // namespace cooperative_groups
