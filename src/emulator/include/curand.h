// cuRAND's host API with the generators XORWOW, Philox4x32-10 and MRG32k3a, on the device and on the host: 32-bit words, uniform,
// normal, log-normal and Poisson numbers. Numbers come from 4096 sequences in turn, each as the device API gives them.
#pragma once
#define CURAND_H_  // NVIDIA's include guard
#define CURAND_VERSION 10309

#include "cuset_emulator/random/host_types.h"

namespace curand_host {

template <class State>
inline curandStatus_t make_ready(curandGenerator_t generator) {
  const size_t bytes = kSequences * sizeof(State);
  if (generator->states == nullptr) {
    if (generator->on_host)
      generator->states = new State[kSequences];
    else if (cudaMalloc(&generator->states, bytes) != cudaSuccess)
      return CURAND_STATUS_ALLOCATION_FAILED;
  }
  State* const states = static_cast<State*>(generator->states);
  const unsigned long long offset = generator->offset;
  if (generator->on_host)
    for (int row = 0; row < kSequences / kRow; ++row) prepare_row(states, row, generator->seed, offset);
  else
    prepare<State><<<kSequences / kRow, 1, 0, generator->stream>>>(states, generator->seed, offset);
  generator->next = static_cast<int>(offset % kSequences);
  generator->ready = true;
  return CURAND_STATUS_SUCCESS;
}

template <class State>
inline curandStatus_t serve(curandGenerator_t generator, Request request) {
  if (!generator->ready)
    if (const curandStatus_t status = make_ready<State>(generator)) return status;
  State* const states = static_cast<State*>(generator->states);
  request.next = generator->next;
  if (generator->on_host)
    for (int i = 0; i < kSequences; ++i) draw_all(states, i, request);
  else
    generate<State><<<kSequences / kSequenceBlock, kSequenceBlock, 0, generator->stream>>>(states, request);
  generator->next = static_cast<int>((generator->next + request.count) % kSequences);
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// Calls `work` with a null pointer to the generator's state.
template <class Work>
inline auto with_state(curandGenerator_t generator, const Work& work) {
  switch (generator->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return work(static_cast<curandStatePhilox4_32_10_t*>(nullptr));
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return work(static_cast<curandStateMRG32k3a_t*>(nullptr));
    default:
      return work(static_cast<curandStateXORWOW_t*>(nullptr));
  }
}

template <class State>
inline curandStatus_t serve_with(State*, curandGenerator_t generator, const Request& request) {
  return serve<State>(generator, request);
}

template <int = 0>
inline curandStatus_t serve(curandGenerator_t generator, const Request& request) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (request.count == 0) return CURAND_STATUS_SUCCESS;
  return with_state(generator, [&](auto* state) { return serve_with(state, generator, request); });
}

inline curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool is_served = type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
                         type == CURAND_RNG_PSEUDO_PHILOX4_32_10 || type == CURAND_RNG_PSEUDO_MRG32K3A;
  if (!is_served) cuset_unserved_call("cuRAND generators other than XORWOW, Philox4x32-10 and MRG32k3a");
  *generator = new curandGenerator_st{on_host, type};
  return CURAND_STATUS_SUCCESS;
}

// Pairs of normal numbers; an odd count is refused, as cuRAND does.
template <class T>
inline curandStatus_t serve_normal(curandGenerator_t generator, T* results, size_t n, T mean, T deviation,
                                   bool exponential) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const Draw draw = sizeof(T) == 4 ? Draw::kNormal : Draw::kNormalDouble;
  return serve(generator, Request{draw, n / 2, 0, mean, deviation, exponential, results});
}

}  // namespace curand_host

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return curand_host::create(generator, type, false);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return curand_host::create(generator, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->on_host)
    cudaFree(generator->states);
  else
    curand_host::with_state(generator, [&](auto* state) {
      delete[] static_cast<decltype(state)>(generator->states);
      return CURAND_STATUS_SUCCESS;
    });
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->ready = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->ready = false;
  return CURAND_STATUS_SUCCESS;
}
// There is one order here.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_OUT_OF_RANGE : CURAND_STATUS_SUCCESS;
}
template <int = 0>
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return curand_host::with_state(generator, [&](auto* state) {
    return curand_host::make_ready<std::remove_pointer_t<decltype(state)>>(generator);
  });
}

template <int = 0>
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* results, size_t n) {
  return curand_host::serve(generator,
                            curand_host::Request{curand_host::Draw::kWord, n, 0, 0, 0, false, results});
}
template <int = 0>
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* results, size_t n) {
  return curand_host::serve(generator,
                            curand_host::Request{curand_host::Draw::kUniform, n, 0, 0, 0, false, results});
}
template <int = 0>
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* results, size_t n) {
  return curand_host::serve(
      generator, curand_host::Request{curand_host::Draw::kUniformDouble, n, 0, 0, 0, false, results});
}
template <int = 0>
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* results, size_t n, float mean,
                                           float deviation) {
  return curand_host::serve_normal(generator, results, n, mean, deviation, false);
}
template <int = 0>
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* results, size_t n,
                                                 double mean, double deviation) {
  return curand_host::serve_normal(generator, results, n, mean, deviation, false);
}
template <int = 0>
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* results, size_t n,
                                              float mean, float deviation) {
  return curand_host::serve_normal(generator, results, n, mean, deviation, true);
}
template <int = 0>
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* results, size_t n,
                                                    double mean, double deviation) {
  return curand_host::serve_normal(generator, results, n, mean, deviation, true);
}
template <int = 0>
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* results, size_t n,
                                            double mean) {
  if (!(mean > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return curand_host::serve(generator,
                            curand_host::Request{curand_host::Draw::kPoisson, n, 0, mean, 0, false, results});
}
