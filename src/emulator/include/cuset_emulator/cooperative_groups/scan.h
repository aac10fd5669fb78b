// Cooperative groups: prefix sums over the ranks of a group.
#pragma once

#include "cuset_emulator/cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
CUSET_DEVICE_FUNCTION T inclusive_scan(const Group& group, const T& value, Operation&& operation) {
  T result = value;
  const unsigned int rank = group.thread_rank();
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(result, distance);
    if (rank >= distance) result = operation(before, result);
  }
  return result;
}

template <class Group, class T>
CUSET_DEVICE_FUNCTION T inclusive_scan(const Group& group, const T& value) {
  return inclusive_scan(group, value, plus<T>());
}

// The first rank gets T{}.
template <class Group, class T, class Operation>
CUSET_DEVICE_FUNCTION T exclusive_scan(const Group& group, const T& value, Operation&& operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T{} : before;
}

template <class Group, class T>
CUSET_DEVICE_FUNCTION T exclusive_scan(const Group& group, const T& value) {
  return exclusive_scan(group, value, plus<T>());
}

// Scans that start at what an atomic holds and add the group's total to it.
template <class Group, class Atomic, class T, class Operation>
CUSET_DEVICE_FUNCTION T inclusive_scan_update(const Group& group, Atomic& atomic, const T& value,
                                              Operation&& operation) {
  const T sum = inclusive_scan(group, value, operation);
  const unsigned int last = group.size() - 1;
  T old{};
  if (group.thread_rank() == last) old = atomic.fetch_add(sum);
  return operation(group.shfl(old, static_cast<int>(last)), sum);
}

template <class Group, class Atomic, class T, class Operation>
CUSET_DEVICE_FUNCTION T exclusive_scan_update(const Group& group, Atomic& atomic, const T& value,
                                              Operation&& operation) {
  const T sum = inclusive_scan(group, value, operation);
  const unsigned int last = group.size() - 1;
  T old{};
  if (group.thread_rank() == last) old = atomic.fetch_add(sum);
  const T before = group.shfl_up(sum, 1);
  const T base = group.shfl(old, static_cast<int>(last));
  return group.thread_rank() == 0 ? base : operation(base, before);
}

}  // namespace cooperative_groups
