// cuda::atomic and cuda::atomic_ref: the standard's atomics with a scope.
#pragma once

#include "cuset_emulator/libcudacxx/thread_scope.h"

namespace cuda {

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

namespace internal {

// What a failed compare-and-swap may be ordered by.
__host__ __device__ constexpr int failure_order(int order) {
  return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

#define CUSET_ATOMIC_METHOD __host__ __device__ __attribute__((always_inline))

// The operations on the T at address(), which `Derived` supplies.
template <class T, class Derived>
class AtomicOperations {
 public:
  typedef T value_type;

  CUSET_ATOMIC_METHOD T load(memory_order order = memory_order_seq_cst) const {
    T value;
    __atomic_load(address(), &value, order);
    return value;
  }
  CUSET_ATOMIC_METHOD void store(T value, memory_order order = memory_order_seq_cst) const {
    __atomic_store(address(), &value, order);
  }
  CUSET_ATOMIC_METHOD T exchange(T value, memory_order order = memory_order_seq_cst) const {
    T old;
    __atomic_exchange(address(), &value, &old, order);
    return old;
  }
  CUSET_ATOMIC_METHOD bool compare_exchange_strong(T& expected, T value, memory_order success,
                                                   memory_order failure) const {
    return __atomic_compare_exchange(address(), &expected, &value, false, success, failure);
  }
  CUSET_ATOMIC_METHOD bool compare_exchange_strong(T& expected, T value,
                                                   memory_order order = memory_order_seq_cst) const {
    return __atomic_compare_exchange(address(), &expected, &value, false, order, failure_order(order));
  }
  CUSET_ATOMIC_METHOD bool compare_exchange_weak(T& expected, T value, memory_order success,
                                                 memory_order failure) const {
    return compare_exchange_strong(expected, value, success, failure);
  }
  CUSET_ATOMIC_METHOD bool compare_exchange_weak(T& expected, T value,
                                                 memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }

#define CUSET_FETCH(name)                                                                \
  CUSET_ATOMIC_METHOD T name(T value, memory_order order = memory_order_seq_cst) const { \
    return __atomic_##name(address(), value, order);                                     \
  }
  CUSET_FETCH(fetch_add)
  CUSET_FETCH(fetch_sub)
  CUSET_FETCH(fetch_and)
  CUSET_FETCH(fetch_or)
  CUSET_FETCH(fetch_xor)
  CUSET_FETCH(fetch_min)
  CUSET_FETCH(fetch_max)
#undef CUSET_FETCH

  CUSET_ATOMIC_METHOD operator T() const { return load(); }
  CUSET_ATOMIC_METHOD T operator++() const { return fetch_add(1) + 1; }
  CUSET_ATOMIC_METHOD T operator++(int) const { return fetch_add(1); }
  CUSET_ATOMIC_METHOD T operator--() const { return fetch_sub(1) - 1; }
  CUSET_ATOMIC_METHOD T operator--(int) const { return fetch_sub(1); }
  CUSET_ATOMIC_METHOD T operator+=(T value) const { return fetch_add(value) + value; }
  CUSET_ATOMIC_METHOD T operator-=(T value) const { return fetch_sub(value) - value; }
  CUSET_ATOMIC_METHOD T operator&=(T value) const { return fetch_and(value) & value; }
  CUSET_ATOMIC_METHOD T operator|=(T value) const { return fetch_or(value) | value; }
  CUSET_ATOMIC_METHOD T operator^=(T value) const { return fetch_xor(value) ^ value; }

  __device__ void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) cuset_request(CUSET_YIELD, 0, 0, 0);
  }
  CUSET_ATOMIC_METHOD void notify_one() const {}
  CUSET_ATOMIC_METHOD void notify_all() const {}
  CUSET_ATOMIC_METHOD bool is_lock_free() const { return sizeof(T) <= 8; }

 private:
  CUSET_ATOMIC_METHOD T* address() const { return static_cast<const Derived*>(this)->place(); }
};

}  // namespace internal

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public internal::AtomicOperations<T, atomic<T, Scope>> {
 public:
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  CUSET_ATOMIC_METHOD T operator=(T value) {
    this->store(value);
    return value;
  }
  CUSET_ATOMIC_METHOD T* place() const { return &value_; }

 private:
  mutable T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public internal::AtomicOperations<T, atomic_ref<T, Scope>> {
 public:
  __host__ __device__ explicit constexpr atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  CUSET_ATOMIC_METHOD T operator=(T value) const {
    this->store(value);
    return value;
  }
  CUSET_ATOMIC_METHOD T* place() const { return object_; }

 private:
  T* object_;
};

template <thread_scope Scope = thread_scope_system>
class atomic_flag {
 public:
  atomic_flag() = default;
  CUSET_ATOMIC_METHOD bool test_and_set(memory_order order = memory_order_seq_cst) {
    return __atomic_exchange_n(&set_, 1u, order) != 0;
  }
  CUSET_ATOMIC_METHOD void clear(memory_order order = memory_order_seq_cst) {
    __atomic_store_n(&set_, 0u, order);
  }
  CUSET_ATOMIC_METHOD bool test(memory_order order = memory_order_seq_cst) const {
    return __atomic_load_n(&set_, order) != 0;
  }

 private:
  unsigned int set_;
};

CUSET_BOTH_FUNCTION void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (scope == thread_scope_block || scope == thread_scope_thread)
    __atomic_signal_fence(order);
  else
    __atomic_thread_fence(order);
}

namespace std {

using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;

}  // namespace std

}  // namespace cuda
