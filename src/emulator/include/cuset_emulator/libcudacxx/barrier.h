// cuda::barrier: a counter of missing arrivals and the number of the phase; who waits yields until the phase
// moves on.
#pragma once

#include "cuset_emulator/libcudacxx/thread_scope.h"

namespace cuda {

namespace internal {

struct NoCompletion {
  __host__ __device__ void operator()() const {}
};

}  // namespace internal

template <thread_scope Scope, class Completion = internal::NoCompletion>
class barrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    friend class barrier;
    __host__ __device__ explicit arrival_token(unsigned int phase) : phase_(phase) {}
    unsigned int phase_;
  };

  barrier() = default;
  __host__ __device__ explicit barrier(ptrdiff_t expected, Completion completion = Completion()) {
    set_up(expected, completion);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  __device__ arrival_token arrive(ptrdiff_t count = 1) {
    const arrival_token token(__atomic_load_n(&phase_, __ATOMIC_ACQUIRE));
    const unsigned int arrivals = static_cast<unsigned int>(count);
    if (__atomic_fetch_sub(&missing_, arrivals, __ATOMIC_ACQ_REL) == arrivals) complete();
    return token;
  }
  __device__ void wait(arrival_token&& token) const { wait_for(token.phase_); }
  __device__ void wait_parity(bool parity) const {
    while ((__atomic_load_n(&phase_, __ATOMIC_ACQUIRE) & 1u) == static_cast<unsigned int>(parity)) {
      cuset_request(CUSET_YIELD, 0, 0, 0);
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    __atomic_fetch_sub(&expected_, 1u, __ATOMIC_ACQ_REL);
    arrive();
  }
  __device__ bool try_wait(arrival_token&& token) const {
    if (__atomic_load_n(&phase_, __ATOMIC_ACQUIRE) != token.phase_) return true;
    cuset_request(CUSET_YIELD, 0, 0, 0);
    return __atomic_load_n(&phase_, __ATOMIC_ACQUIRE) != token.phase_;
  }

  __host__ __device__ void set_up(ptrdiff_t expected, Completion completion = Completion()) {
    expected_ = static_cast<unsigned int>(expected);
    missing_ = expected_;
    phase_ = 0;
    completion_ = completion;
  }

 private:
  __device__ void complete() {
    completion_();
    __atomic_store_n(&missing_, __atomic_load_n(&expected_, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    __atomic_fetch_add(&phase_, 1u, __ATOMIC_ACQ_REL);
  }
  __device__ void wait_for(unsigned int phase) const {
    while (__atomic_load_n(&phase_, __ATOMIC_ACQUIRE) == phase) cuset_request(CUSET_YIELD, 0, 0, 0);
  }

  unsigned int expected_;
  unsigned int missing_;
  unsigned int phase_;
  Completion completion_;
};

template <thread_scope Scope, class Completion>
__host__ __device__ inline void init(barrier<Scope, Completion>* object, ptrdiff_t expected,
                                     Completion completion = Completion()) {
  object->set_up(expected, completion);
}

// Copies happen at once, before the caller's next arrival at the barrier.
template <class Size, thread_scope Scope, class Completion>
CUSET_DEVICE_FUNCTION void memcpy_async(void* to, const void* from, Size bytes, barrier<Scope, Completion>&) {
  memcpy(to, from, static_cast<size_t>(bytes));
}

template <class Group, class Size, thread_scope Scope, class Completion>
CUSET_DEVICE_FUNCTION void memcpy_async(const Group& group, void* to, const void* from, Size bytes,
                                        barrier<Scope, Completion>&) {
  const size_t total = static_cast<size_t>(bytes);
  for (size_t at = group.thread_rank(); at < total; at += group.size()) {
    static_cast<char*>(to)[at] = static_cast<const char*>(from)[at];
  }
}

namespace std {

template <class Completion = internal::NoCompletion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;

}  // namespace std

}  // namespace cuda
