// cuRAND's host API: status, kinds of generators, and the generator itself.
#pragma once

#include "cuda_runtime.h"
#include "cuset_emulator/random/distributions.h"

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

struct curandGenerator_st {
  bool on_host;
  curandRngType_t type;  // one of those that are served
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  void* states = nullptr;  // one for each sequence, on the host or the device
  bool ready = false;      // they are set for the seed and the offset
  int next = 0;            // the sequence whose turn it is
};
typedef curandGenerator_st* curandGenerator_t;

namespace curand_host {

// Results come from these sequences in turn.
constexpr int kSequences = 4096;
constexpr int kSequenceBlock = 128;
constexpr int kRow = 256;

enum class Draw { kWord, kUniform, kUniformDouble, kNormal, kNormalDouble, kPoisson };

// Results `first`, `first` + kSequences, ... below `count` belong to a sequence. Normal numbers come in pairs, which count as one.
struct Request {
  Draw draw;
  unsigned long long count;
  int next;
  double mean, deviation;
  bool exponential;
  void* results;
};

template <class T>
CUSET_BOTH_FUNCTION T normal_result(const Request& request, T standard) {
  const T value = static_cast<T>(request.mean) + static_cast<T>(request.deviation) * standard;
  if (!request.exponential) return value;
  return sizeof(T) == 4 ? static_cast<T>(::expf(static_cast<float>(value))) : static_cast<T>(::exp(value));
}

template <class State>
__host__ __device__ inline void draw_one(State& state, const Request& request, unsigned long long i) {
  switch (request.draw) {
    case Draw::kWord:
      static_cast<unsigned int*>(request.results)[i] = curand(&state);
      return;
    case Draw::kPoisson:
      static_cast<unsigned int*>(request.results)[i] = curand_poisson(&state, request.mean);
      return;
    case Draw::kUniform:
      static_cast<float*>(request.results)[i] = curand_uniform(&state);
      return;
    case Draw::kUniformDouble:
      static_cast<double*>(request.results)[i] = curand_uniform_double(&state);
      return;
    case Draw::kNormal: {
      const float2 pair = curand_normal2(&state);
      static_cast<float*>(request.results)[2 * i] = normal_result(request, pair.x);
      static_cast<float*>(request.results)[2 * i + 1] = normal_result(request, pair.y);
      return;
    }
    case Draw::kNormalDouble: {
      const double2 pair = curand_normal2_double(&state);
      static_cast<double*>(request.results)[2 * i] = normal_result(request, pair.x);
      static_cast<double*>(request.results)[2 * i + 1] = normal_result(request, pair.y);
    }
  }
}

template <class State>
__host__ __device__ inline void draw_all(State* states, int sequence, const Request& request) {
  State state = states[sequence];
  const int first = (sequence - request.next + kSequences) % kSequences;
  for (unsigned long long i = first; i < request.count; i += kSequences) draw_one(state, request, i);
  states[sequence] = state;
}

template <class State>
CUSET_BOTH_FUNCTION void to_next_sequence(State& state) {
  skipahead_sequence(1ull, &state);
}
CUSET_BOTH_FUNCTION void to_next_sequence(curandStateMRG32k3a_t& state) {
  skipahead_subsequence(1ull, &state);
}

// The states of kRow sequences, each a jump from the one before: the first one's many jumps are what takes time.
template <class State>
__host__ __device__ inline void prepare_row(State* states, int row, unsigned long long seed,
                                            unsigned long long offset) {
  State running;
  curand_init(seed, row * kRow, offset / kSequences, &running);
  for (int sequence = row * kRow; sequence < (row + 1) * kRow; ++sequence) {
    states[sequence] = running;
    if (sequence < static_cast<int>(offset % kSequences)) skipahead(1ull, &states[sequence]);
    to_next_sequence(running);
  }
}

template <class State>
__global__ void prepare(State* states, unsigned long long seed, unsigned long long offset) {
  prepare_row(states, static_cast<int>(blockIdx.x), seed, offset);
}
template <class State>
__global__ void generate(State* states, Request request) {
  draw_all(states, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), request);
}

}  // namespace curand_host
