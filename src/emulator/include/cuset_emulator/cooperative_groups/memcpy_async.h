// Cooperative groups: copies shared out over the threads of a group. They happen at once; wait() is the
// group's barrier.
#pragma once

#include "cuset_emulator/cooperative_groups/coalesced.h"
#include "cuset_emulator/libcudacxx/thread_scope.h"

namespace cooperative_groups {

namespace internal {

template <class Word>
CUSET_DEVICE_FUNCTION void copy_words(char* to, const char* from, size_t bytes, size_t rank, size_t threads) {
  for (size_t at = rank * sizeof(Word); at < bytes; at += threads * sizeof(Word)) {
    *reinterpret_cast<Word*>(to + at) = *reinterpret_cast<const Word*>(from + at);
  }
}

template <class Group>
CUSET_DEVICE_FUNCTION void copy_by_group(const Group& group, void* to, const void* from, size_t bytes) {
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (alignment % 16 == 0) {
    copy_words<uint4>(target, source, bytes, group.thread_rank(), group.size());
  } else if (alignment % 4 == 0) {
    copy_words<unsigned int>(target, source, bytes, group.thread_rank(), group.size());
  } else {
    copy_words<char>(target, source, bytes, group.thread_rank(), group.size());
  }
}

}  // namespace internal

// `shape` is a number of bytes: size_t or cuda::aligned_size_t<N>.
template <class Group, class To, class From, class Shape>
CUSET_DEVICE_FUNCTION void memcpy_async(const Group& group, To* to, const From* from, const Shape& shape) {
  internal::copy_by_group(group, to, from, static_cast<size_t>(shape));
}

// Layouts are numbers of elements of each side.
template <class Group, class T, class ToLayout, class FromLayout>
CUSET_DEVICE_FUNCTION void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                                        const FromLayout& from_layout) {
  const size_t to_elements = static_cast<size_t>(to_layout);
  const size_t from_elements = static_cast<size_t>(from_layout);
  internal::copy_by_group(group, to, from,
                          (to_elements < from_elements ? to_elements : from_elements) * sizeof(T));
}

template <class Group>
CUSET_DEVICE_FUNCTION void wait(const Group& group) {
  group.sync();
}

template <unsigned int Stages, class Group>
CUSET_DEVICE_FUNCTION void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
