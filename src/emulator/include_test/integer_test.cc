// Integer and packed intrinsics, source lanes of shuffles and random numbers of the emulator's headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "cuset_emulator/integer_intrinsics.h"
#include "cuset_emulator/random/distributions.h"
#include "cuset_emulator/simd_intrinsics.h"
#include "cuset_emulator/warp.h"

namespace {

TEST(IntegerIntrinsics, CountBits) {
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(-1), 0);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__brev(1), 0x80000000u);
  EXPECT_EQ(__brev(0x12345678u), 0x1e6a2c48u);
  EXPECT_EQ(__brevll(1), 1ull << 63);
  EXPECT_EQ(__fns(0xf0u, 0, 2), 5u);
  EXPECT_EQ(__fns(0xf0u, 31, -1), 7u);
  EXPECT_EQ(__fns(0xf0u, 0, 5), 0xffffffffu);
}

TEST(IntegerIntrinsics, PermuteBytes) {
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7410u), 0x77441100u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x0123u), 0x00112233u);
}

TEST(IntegerIntrinsics, FunnelShifts) {
  EXPECT_EQ(__funnelshift_l(0x80000001u, 0x00000002u, 1), 0x00000005u);
  EXPECT_EQ(__funnelshift_r(0x80000001u, 0x00000003u, 1), 0xc0000000u);
  EXPECT_EQ(__funnelshift_l(1u, 2u, 32), 2u);
  EXPECT_EQ(__funnelshift_lc(1u, 2u, 32), 1u);
  EXPECT_EQ(__funnelshift_rc(1u, 2u, 40), 2u);
}

TEST(IntegerIntrinsics, HighHalvesOfProducts) {
  EXPECT_EQ(__mulhi(-2, 3), -1);
  EXPECT_EQ(__umulhi(0xffffffffu, 0xffffffffu), 0xfffffffeu);
  EXPECT_EQ(__mul64hi(-1, 1), -1);
  EXPECT_EQ(__umul64hi(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(__mul24(0x00ffffff, 2), -2);
  EXPECT_EQ(__hadd(2147483647, 2147483645), 2147483646);
  EXPECT_EQ(__rhadd(-3, 0), -1);
  EXPECT_EQ(__sad(-2147483647 - 1, 2147483647, 1), 0u);
  EXPECT_EQ(__dp4a(0x01ff0203, 0x02030405, 10), 10 + 2 - 3 + 8 + 15);
  EXPECT_EQ(__dp2a_hi(0x0002ffff, 0x03040000, 0), 2 * 3 - 4);
}

// Every lane's arithmetic on its own, for all packed functions that exist for bytes.
TEST(SimdIntrinsics, BytesComputeOnTheirOwn) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto a = static_cast<uint32_t>(random()), b = static_cast<uint32_t>(random());
    for (int byte = 0; byte < 4; ++byte) {
      const auto part = [byte](uint32_t word) { return static_cast<uint8_t>(word >> 8 * byte); };
      const int u = part(a), v = part(b), s = static_cast<int8_t>(u), t = static_cast<int8_t>(v);
      ASSERT_EQ(part(__vadd4(a, b)), static_cast<uint8_t>(u + v));
      ASSERT_EQ(part(__vsubus4(a, b)), std::max(u - v, 0));
      ASSERT_EQ(static_cast<int8_t>(part(__vaddss4(a, b))), std::clamp(s + t, -128, 127));
      ASSERT_EQ(part(__vabsdiffu4(a, b)), std::abs(u - v));
      ASSERT_EQ(static_cast<int8_t>(part(__vmaxs4(a, b))), std::max(s, t));
      ASSERT_EQ(part(__vcmpgts4(a, b)), s > t ? 0xff : 0);
      ASSERT_EQ(part(__vsetleu4(a, b)), u <= v ? 1 : 0);
      ASSERT_EQ(part(__vavgu4(a, b)), (u + v + 1) / 2);
    }
  }
  EXPECT_EQ(__vsadu4(0x01020304u, 0x04030201u), 8u);
  EXPECT_EQ(__vabsss2(0x80007fffu), 0x7fff7fffu);
}

// The PTX manual's table for shfl.sync, in its own terms.
unsigned source_by_manual(char mode, unsigned lane, unsigned b, int width) {
  const unsigned segment = static_cast<unsigned>(32 - width) & 31u;
  const unsigned clamp = mode == 'u' ? 0u : 31u;
  const unsigned last = (lane & segment) | (clamp & ~segment);
  const unsigned first = lane & segment;
  const int distance = static_cast<int>(b & 31u), own = static_cast<int>(lane),
            limit = static_cast<int>(last);
  int source = own;
  bool inside = false;
  switch (mode) {
    case 'u':
      source = own - distance, inside = source >= limit;
      break;
    case 'd':
      source = own + distance, inside = source <= limit;
      break;
    case 'x':
      source = own ^ distance, inside = source <= limit;
      break;
    default:
      source = static_cast<int>(first | (b & 31u & ~segment)), inside = source <= limit;
      break;
  }
  return static_cast<unsigned>(inside ? source : own);
}

TEST(Shuffle, SourceLanesFollowTheManual) {
  for (const int width : {1, 2, 4, 8, 16, 32}) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned b = 0; b < 40; ++b) {
        const int value = static_cast<int>(b);
        ASSERT_EQ(cuset_emulator::source_above(lane, b, width), source_by_manual('u', lane, b, width));
        ASSERT_EQ(cuset_emulator::source_below(lane, b, width), source_by_manual('d', lane, b, width));
        ASSERT_EQ(cuset_emulator::source_by_xor(lane, value, width), source_by_manual('x', lane, b, width));
        ASSERT_EQ(cuset_emulator::source_by_index(lane, value, width), source_by_manual('i', lane, b, width));
      }
    }
  }
}

TEST(Philox, KnownAnswers) {
  // From the reference implementation's test vectors.
  const uint4 zeros = cuset_emulator::philox(uint4{0, 0, 0, 0}, uint2{0, 0});
  EXPECT_EQ(zeros.x, 0x6627e8d5u);
  EXPECT_EQ(zeros.y, 0xe169c58du);
  EXPECT_EQ(zeros.z, 0xbc57ac4cu);
  EXPECT_EQ(zeros.w, 0x9b00dbd8u);
  const uint4 ones = cuset_emulator::philox(uint4{~0u, ~0u, ~0u, ~0u}, uint2{~0u, ~0u});
  EXPECT_EQ(ones.x, 0x408f276du);
  EXPECT_EQ(ones.w, 0x6d5451fdu);
}

template <class State>
void expect_skips() {
  State walked, skipped, offset;
  curand_init(99, 3, 0, &walked);
  curand_init(99, 3, 0, &skipped);
  curand_init(99, 3, 1001, &offset);
  for (int i = 0; i < 1001; ++i) curand(&walked);
  skipahead(1001, &skipped);
  for (int i = 0; i < 9; ++i) {
    const unsigned want = curand(&walked);
    EXPECT_EQ(curand(&skipped), want);
    EXPECT_EQ(curand(&offset), want);
  }
}

TEST(Philox, SkipsAsFarAsItWalks) { expect_skips<curandStatePhilox4_32_10_t>(); }
TEST(Mrg32k3a, SkipsAsFarAsItWalks) { expect_skips<curandStateMRG32k3a_t>(); }

// The first numbers of L'Ecuyer's RngStreams, whose seed is 12345 six times.
TEST(Mrg32k3a, FirstNumbersOfItsAuthor) {
  curandStateMRG32k3a_t state;
  curand_init(0, 0, 0, &state);
  for (const double wanted : {0.1270111220, 0.3185275653, 0.3091860155})
    EXPECT_NEAR(cuset_emulator::step_mrg(&state) / 4294967088.0, wanted, 1e-9);
}

TEST(Mrg32k3a, JumpsAddUp) {
  curandStateMRG32k3a_t once, twice;
  curand_init(9, 3, 0, &once);
  curand_init(9, 1, 0, &twice);
  skipahead_subsequence(2, &twice);
  EXPECT_EQ(curand(&once), curand(&twice));
  for (int i = 0; i < 16; ++i) skipahead_subsequence(1ull << 56, &twice);  // 2^60 of 2^67 are 2^127
  skipahead_sequence(1, &once);
  EXPECT_EQ(curand(&once), curand(&twice));
}

TEST(Xorwow, SkipsAsFarAsItWalks) { expect_skips<curandStateXORWOW_t>(); }

TEST(Xorwow, FirstNumbersOfCurandsDocumentation) {
  // The host API's example with seed 1234 prints one number of each subsequence: 0.1455 0.8202 0.5504 0.2948
  // 0.9147.
  const float want[] = {0.1455f, 0.8202f, 0.5504f, 0.2948f, 0.9147f};
  for (unsigned i = 0; i < 5; ++i) {
    curandStateXORWOW_t state;
    curand_init(1234, i, 0, &state);
    EXPECT_NEAR(curand_uniform(&state), want[i], 5e-5f) << i;
  }
}

TEST(Xorwow, JumpsAddUp) {
  curandStateXORWOW_t once, twice;
  curand_init(5, 13, 0, &once);
  curand_init(5, 6, 0, &twice);
  skipahead_sequence(7, &twice);
  EXPECT_EQ(curand(&once), curand(&twice));
}

TEST(Distributions, NormalNumbersComeInPairs) {
  curandStateXORWOW_t single, pair;
  curand_init(1, 0, 0, &single);
  curand_init(1, 0, 0, &pair);
  const float2 both = curand_normal2(&pair);
  EXPECT_EQ(curand_normal(&single), both.x);
  EXPECT_EQ(curand_normal(&single), both.y);
  EXPECT_EQ(curand_normal(&single), curand_normal2(&pair).x);
}

}  // namespace
