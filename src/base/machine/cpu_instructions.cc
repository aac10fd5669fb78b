#include "base/machine/cpu_instructions.h"

#include <cstdlib>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace cuset::base {
namespace {

constexpr uint32_t kTileBit = 1u << 24;           // AMX-TILE
constexpr uint32_t kTileBfloat16Bit = 1u << 22;   // AMX-BF16
constexpr uint32_t kVectorBfloat16Bit = 1u << 5;  // AVX512_BF16

}  // namespace

bool lacks_announced_tiles(uint32_t leaf_7_edx, uint32_t leaf_1d_eax) {
  const uint32_t largest_palette = leaf_1d_eax;
  return (leaf_7_edx & kTileBit) != 0 && largest_palette == 0;
}

bool lacks_announced_tiles() {
#ifdef __x86_64__
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  const uint32_t features = edx;
  eax = 0;  // stays so where there is no such leaf
  __get_cpuid_count(0x1D, 0, &eax, &ebx, &ecx, &edx);
  return lacks_announced_tiles(features, eax);
#else
  return false;
#endif
}

bool has_bfloat16_products(uint32_t leaf_7_1_eax, uint32_t leaf_7_edx, uint32_t leaf_1d_eax) {
  if ((leaf_7_1_eax & kVectorBfloat16Bit) != 0) return true;
  return (leaf_7_edx & kTileBfloat16Bit) != 0 && !lacks_announced_tiles(leaf_7_edx, leaf_1d_eax);
}

bool has_bfloat16_products() {
#ifdef __x86_64__
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  const uint32_t features = edx;
  uint32_t more = 0, tiles = 0;  // stay so where there is no such leaf
  __get_cpuid_count(7, 1, &more, &ebx, &ecx, &edx);
  __get_cpuid_count(0x1D, 0, &tiles, &ebx, &ecx, &edx);
  return has_bfloat16_products(more, features, tiles);
#else
  return true;
#endif
}

void avoid_missing_tiles() {
  constexpr int kKeepWhatIsSet = 0;
  if (lacks_announced_tiles()) setenv(kOneDnnLimit, "AVX512_CORE_FP16", kKeepWhatIsSet);
}

}  // namespace cuset::base
