// cuda::pipeline: batches of copies in stages. Copies happen at once; what remains is to know when all
// producers have committed a batch and all consumers have released it. The k-th batch uses slot k % stages
// for the (k / stages)-th time, and each slot counts commits and releases since the start.
#pragma once

#include "cuset_emulator/libcudacxx/barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace internal {

struct PipelineSlot {
  unsigned int produced;
  unsigned int consumed;
};

CUSET_DEVICE_FUNCTION void wait_for_count(const unsigned int* count, unsigned int wanted) {
  while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < wanted) cuset_request(CUSET_YIELD, 0, 0, 0);
}

}  // namespace internal

template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  __device__ void clear() {
    for (unsigned int i = 0; i < Stages; ++i) slots[i] = internal::PipelineSlot{0, 0};
    producers = consumers = 0;
  }

  internal::PipelineSlot slots[Stages];
  unsigned int producers;
  unsigned int consumers;
};

// `slots` is null for the pipeline of a single thread, whose own copies need no waiting.
template <thread_scope Scope>
class pipeline {
 public:
  __device__ pipeline() : slots_(nullptr), stages_(1), producers_(1), consumers_(1) {}
  __device__ pipeline(internal::PipelineSlot* slots, unsigned int stages, unsigned int producers,
                      unsigned int consumers)
      : slots_(slots), stages_(stages), producers_(producers), consumers_(consumers) {}

  __device__ void producer_acquire() {
    if (slots_ != nullptr) {
      internal::wait_for_count(&slots_[head_ % stages_].consumed, head_ / stages_ * consumers_);
    }
  }
  __device__ void producer_commit() {
    if (slots_ != nullptr) __atomic_fetch_add(&slots_[head_ % stages_].produced, 1u, __ATOMIC_ACQ_REL);
    ++head_;
  }
  __device__ void consumer_wait() { wait_for_batch(tail_); }
  template <class Duration>
  __device__ bool consumer_wait_for(const Duration&) {
    consumer_wait();
    return true;
  }
  __device__ void consumer_release() {
    if (slots_ != nullptr) __atomic_fetch_add(&slots_[tail_ % stages_].consumed, 1u, __ATOMIC_ACQ_REL);
    ++tail_;
  }
  __device__ bool quit() { return true; }

  // For pipeline_consumer_wait_prior().
  __device__ void wait_all_but(unsigned int last) {
    for (unsigned int batch = tail_; batch + last < head_; ++batch) wait_for_batch(batch);
  }

 private:
  __device__ void wait_for_batch(unsigned int batch) {
    if (slots_ == nullptr) return;
    internal::wait_for_count(&slots_[batch % stages_].produced, (batch / stages_ + 1) * producers_);
  }

  internal::PipelineSlot* slots_;
  unsigned int stages_;
  unsigned int producers_;
  unsigned int consumers_;
  unsigned int head_ = 0;
  unsigned int tail_ = 0;
};

CUSET_DEVICE_FUNCTION pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}

template <class Group, thread_scope Scope, unsigned char Stages>
CUSET_DEVICE_FUNCTION pipeline<Scope> make_pipeline(const Group& group,
                                                    pipeline_shared_state<Scope, Stages>* state) {
  if (group.thread_rank() == 0) state->clear();
  group.sync();
  const unsigned int threads = static_cast<unsigned int>(group.size());
  return pipeline<Scope>(state->slots, Stages, threads, threads);
}

template <class Group, thread_scope Scope, unsigned char Stages>
CUSET_DEVICE_FUNCTION pipeline<Scope> make_pipeline(const Group& group,
                                                    pipeline_shared_state<Scope, Stages>* state,
                                                    pipeline_role role) {
  if (group.thread_rank() == 0) state->clear();
  group.sync();
  __atomic_fetch_add(role == pipeline_role::producer ? &state->producers : &state->consumers, 1u,
                     __ATOMIC_ACQ_REL);
  group.sync();
  return pipeline<Scope>(state->slots, Stages, state->producers, state->consumers);
}

template <class Group, thread_scope Scope, unsigned char Stages>
CUSET_DEVICE_FUNCTION pipeline<Scope> make_pipeline(const Group& group,
                                                    pipeline_shared_state<Scope, Stages>* state,
                                                    size_t producer_count) {
  const bool producer = group.thread_rank() < producer_count;
  return make_pipeline(group, state, producer ? pipeline_role::producer : pipeline_role::consumer);
}

template <unsigned char Prior, thread_scope Scope>
CUSET_DEVICE_FUNCTION void pipeline_consumer_wait_prior(pipeline<Scope>& pipe) {
  pipe.wait_all_but(Prior);
}

template <class Size, thread_scope Scope>
CUSET_DEVICE_FUNCTION void memcpy_async(void* to, const void* from, Size bytes, pipeline<Scope>&) {
  memcpy(to, from, static_cast<size_t>(bytes));
}

template <class Group, class Size, thread_scope Scope>
CUSET_DEVICE_FUNCTION void memcpy_async(const Group& group, void* to, const void* from, Size bytes,
                                        pipeline<Scope>&) {
  const size_t total = static_cast<size_t>(bytes);
  for (size_t at = group.thread_rank(); at < total; at += group.size()) {
    static_cast<char*>(to)[at] = static_cast<const char*>(from)[at];
  }
}

}  // namespace cuda
