// Philox4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (2011), with cuRAND's use of the counter: subsequence in the upper half, position / 4 in the lower one.
#pragma once

#include "cuset_emulator/qualifiers.h"
#include "cuset_emulator/vector_types.h"

namespace cuset_emulator {

__host__ __device__ inline uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x;
    const unsigned long long b = 0xcd9e8d57ull * counter.z;
    counter = uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
                    static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// Adds to a number of 64 bits in two words; returns the carry.
CUSET_BOTH_FUNCTION bool add_to_words(unsigned int& low, unsigned int& high, unsigned long long value) {
  const unsigned long long old = static_cast<unsigned long long>(high) << 32 | low;
  const unsigned long long sum = old + value;
  low = static_cast<unsigned int>(sum);
  high = static_cast<unsigned int>(sum >> 32);
  return sum < old;
}

}  // namespace cuset_emulator

// `STATE` says which of the four words of `output` comes next.
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cuset_emulator {

CUSET_BOTH_FUNCTION void advance_counter(curandStatePhilox4_32_10* state, unsigned long long steps) {
  if (add_to_words(state->ctr.x, state->ctr.y, steps)) add_to_words(state->ctr.z, state->ctr.w, 1);
}

CUSET_BOTH_FUNCTION unsigned int word_of(const uint4& words, unsigned int index) {
  return index == 0 ? words.x : index == 1 ? words.y : index == 2 ? words.z : words.w;
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION void skipahead(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  const unsigned long long place = state->STATE + (count & 3u);
  state->STATE = static_cast<unsigned int>(place & 3u);
  cuset_emulator::advance_counter(state, count / 4 + place / 4);
  state->output = cuset_emulator::philox(state->ctr, state->key);
}

CUSET_BOTH_FUNCTION void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  cuset_emulator::add_to_words(state->ctr.z, state->ctr.w, count);
  state->output = cuset_emulator::philox(state->ctr, state->key);
}

CUSET_BOTH_FUNCTION void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  *state = curandStatePhilox4_32_10{};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

CUSET_BOTH_FUNCTION unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int result = cuset_emulator::word_of(state->output, state->STATE++);
  if (state->STATE == 4) {
    cuset_emulator::advance_counter(state, 1);
    state->output = cuset_emulator::philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}

CUSET_BOTH_FUNCTION uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned int a = curand(state), b = curand(state), c = curand(state);
  return uint4{a, b, c, curand(state)};
}
