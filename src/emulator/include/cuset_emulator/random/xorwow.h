// XORWOW, Marsaglia's "Xorshift RNGs" (2003) with a Weyl sequence added, and cuRAND's seeding. Subsequences
// lie 2^67 numbers apart; the Weyl part repeats after 2^32, so jumps of that size leave it alone.
#pragma once

#include "cuset_emulator/random/xorwow_jumps.h"

struct curandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace cuset_emulator {

constexpr unsigned int kWeylStep = 362437;

CUSET_BOTH_FUNCTION void step_xorwow(unsigned int* v) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

__host__ __device__ inline void jump_xorwow(unsigned int* v, const unsigned int* polynomial) {
  unsigned int sum[5] = {};
  for (int i = 0; i < 160; ++i) {
    const unsigned int mask = 0u - (polynomial[i / 32] >> i % 32 & 1u);
    for (int word = 0; word < 5; ++word) sum[word] ^= v[word] & mask;
    step_xorwow(v);
  }
  for (int word = 0; word < 5; ++word) v[word] = sum[word];
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION void skipahead(unsigned long long count, curandStateXORWOW_t* state) {
  state->d += static_cast<unsigned int>(count) * cuset_emulator::kWeylStep;
  for (; count > 0; --count) cuset_emulator::step_xorwow(state->v);
}

CUSET_BOTH_FUNCTION void skipahead_sequence(unsigned long long count, curandStateXORWOW_t* state) {
  for (int k = 0; count >> k != 0; ++k) {
    if (count >> k & 1u) cuset_emulator::jump_xorwow(state->v, cuset_emulator::xorwow_jump(k));
    if (k == 63) break;
  }
}

CUSET_BOTH_FUNCTION void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  *state = curandStateXORWOW{};
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

CUSET_BOTH_FUNCTION unsigned int curand(curandStateXORWOW_t* state) {
  cuset_emulator::step_xorwow(state->v);
  state->d += cuset_emulator::kWeylStep;
  return state->v[4] + state->d;
}
