#include "base/machine/cpu_instructions.h"

#include <cstdlib>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace cuset::base {
namespace {

constexpr uint32_t kTileBit = 1u << 24;  // AMX-TILE

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

void avoid_missing_tiles() {
  constexpr int kKeepWhatIsSet = 0;
  if (lacks_announced_tiles()) setenv(kOneDnnLimit, "AVX512_CORE_FP16", kKeepWhatIsSet);
}

}  // namespace cuset::base
