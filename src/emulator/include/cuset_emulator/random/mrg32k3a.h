// MRG32k3a, L'Ecuyer's "Good parameters and implementations for combined multiple recursive random number generators" (1999):
//   x[n] = 1403580 x[n-2] - 810728 x[n-3]  mod m1 = 2^32 - 209
//   y[n] = 527612 y[n-1] - 1370589 y[n-3]  mod m2 = 2^32 - 22853
//   z[n] = x[n] - y[n] mod m1, from 1 to m1
// Subsequences lie 2^67 numbers apart, sequences 2^127. A jump is a power of a recurrence's matrix.
#pragma once

#include "cuset_emulator/qualifiers.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];  // x[n-3], x[n-2], x[n-1]
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace cuset_emulator {

constexpr unsigned long long kMrgModulus1 = 4294967087ull;
constexpr unsigned long long kMrgModulus2 = 4294944443ull;

// Moves a state of three numbers on by one matrix; rows are those of the new state.
struct MrgMatrix {
  unsigned long long at[3][3];
};

CUSET_BOTH_FUNCTION MrgMatrix mrg_step(bool first) {
  return first ? MrgMatrix{{{0, 1, 0}, {0, 0, 1}, {kMrgModulus1 - 810728, 1403580, 0}}}
               : MrgMatrix{{{0, 1, 0}, {0, 0, 1}, {kMrgModulus2 - 1370589, 0, 527612}}};
}

__host__ __device__ inline MrgMatrix product(const MrgMatrix& a, const MrgMatrix& b,
                                             unsigned long long modulus) {
  MrgMatrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c.at[i][j] = (c.at[i][j] + a.at[i][k] * b.at[k][j] % modulus) % modulus;
  return c;
}

// By count * 2^doublings steps.
__host__ __device__ inline void jump_mrg(unsigned int* state, bool first, unsigned long long count,
                                         int doublings) {
  const unsigned long long modulus = first ? kMrgModulus1 : kMrgModulus2;
  MrgMatrix power = mrg_step(first);
  for (int i = 0; i < doublings; ++i) power = product(power, power, modulus);
  for (; count != 0; count >>= 1, power = product(power, power, modulus)) {
    if ((count & 1) == 0) continue;
    unsigned long long next[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) next[i] = (next[i] + power.at[i][k] * state[k] % modulus) % modulus;
    for (int i = 0; i < 3; ++i) state[i] = static_cast<unsigned int>(next[i]);
  }
}

__host__ __device__ inline void jump_mrg(curandStateMRG32k3a_t* state, unsigned long long count,
                                         int doublings) {
  jump_mrg(state->s1, true, count, doublings);
  jump_mrg(state->s2, false, count, doublings);
}

// From 1 to m1.
CUSET_BOTH_FUNCTION unsigned int step_mrg(curandStateMRG32k3a_t* state) {
  const unsigned long long x =
      (1403580ull * state->s1[1] + (kMrgModulus1 - 810728) * state->s1[0] % kMrgModulus1) % kMrgModulus1;
  const unsigned long long y =
      (527612ull * state->s2[2] + (kMrgModulus2 - 1370589) * state->s2[0] % kMrgModulus2) % kMrgModulus2;
  for (int i = 0; i < 2; ++i) {
    state->s1[i] = state->s1[i + 1];
    state->s2[i] = state->s2[i + 1];
  }
  state->s1[2] = static_cast<unsigned int>(x);
  state->s2[2] = static_cast<unsigned int>(y);
  return static_cast<unsigned int>(x > y ? x - y : x + kMrgModulus1 - y);
}

CUSET_BOTH_FUNCTION unsigned int mrg_seed(unsigned int word, unsigned long long modulus) {
  return static_cast<unsigned int>(12345ull * word % modulus);
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION void skipahead(unsigned long long count, curandStateMRG32k3a_t* state) {
  cuset_emulator::jump_mrg(state, count, 0);
}
CUSET_BOTH_FUNCTION void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  cuset_emulator::jump_mrg(state, count, 67);
}
CUSET_BOTH_FUNCTION void skipahead_sequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  cuset_emulator::jump_mrg(state, count, 127);
}

// Without a seed all six numbers are 12345, as in the paper.
CUSET_BOTH_FUNCTION void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned int low = seed == 0 ? 1 : static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned int high = seed == 0 ? 1 : static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  *state = curandStateMRG32k3a{};
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = cuset_emulator::mrg_seed(i == 1 ? high : low, cuset_emulator::kMrgModulus1);
    state->s2[i] = cuset_emulator::mrg_seed(i == 1 ? low : high, cuset_emulator::kMrgModulus2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

// Spread over all 32-bit words.
CUSET_BOTH_FUNCTION unsigned int curand(curandStateMRG32k3a_t* state) {
  const double spread = cuset_emulator::step_mrg(state) * 1.000000048662;
  return spread >= 4294967295.0 ? 4294967295u : static_cast<unsigned int>(spread);
}
