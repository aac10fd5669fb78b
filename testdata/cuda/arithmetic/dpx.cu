// The DPX functions: sums, maxima and minima in one.
#include "probe.h"

#define LIST(PROBE)                                                                                         \
  PROBE(viaddmax_s32, (Few<int>, Few<int>, Few<int>), __viaddmax_s32(x, y, z))                              \
  PROBE(viaddmax_s32_relu, (Few<int>, Few<int>, Few<int>), __viaddmax_s32_relu(x, y, z))                    \
  PROBE(viaddmax_u32, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmax_u32(x, y, z))               \
  PROBE(viaddmax_s16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmax_s16x2(x, y, z))           \
  PROBE(viaddmax_s16x2_relu, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmax_s16x2_relu(x, y, z)) \
  PROBE(viaddmax_u16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmax_u16x2(x, y, z))           \
  PROBE(viaddmin_s32, (Few<int>, Few<int>, Few<int>), __viaddmin_s32(x, y, z))                              \
  PROBE(viaddmin_s32_relu, (Few<int>, Few<int>, Few<int>), __viaddmin_s32_relu(x, y, z))                    \
  PROBE(viaddmin_u32, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmin_u32(x, y, z))               \
  PROBE(viaddmin_s16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmin_s16x2(x, y, z))           \
  PROBE(viaddmin_s16x2_relu, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmin_s16x2_relu(x, y, z)) \
  PROBE(viaddmin_u16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __viaddmin_u16x2(x, y, z))           \
  PROBE(vimax3_s32, (Few<int>, Few<int>, Few<int>), __vimax3_s32(x, y, z))                                  \
  PROBE(vimax3_s32_relu, (Few<int>, Few<int>, Few<int>), __vimax3_s32_relu(x, y, z))                        \
  PROBE(vimax3_u32, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimax3_u32(x, y, z))                   \
  PROBE(vimax3_s16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimax3_s16x2(x, y, z))               \
  PROBE(vimax3_s16x2_relu, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimax3_s16x2_relu(x, y, z))     \
  PROBE(vimax3_u16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimax3_u16x2(x, y, z))               \
  PROBE(vimin3_s32, (Few<int>, Few<int>, Few<int>), __vimin3_s32(x, y, z))                                  \
  PROBE(vimin3_s32_relu, (Few<int>, Few<int>, Few<int>), __vimin3_s32_relu(x, y, z))                        \
  PROBE(vimin3_u32, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimin3_u32(x, y, z))                   \
  PROBE(vimin3_s16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimin3_s16x2(x, y, z))               \
  PROBE(vimin3_s16x2_relu, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimin3_s16x2_relu(x, y, z))     \
  PROBE(vimin3_u16x2, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __vimin3_u16x2(x, y, z))               \
  PROBE(vimax_s32_relu, (Few<int>, Few<int>), __vimax_s32_relu(x, y))                                       \
  PROBE(vimax_s16x2_relu, (Few<unsigned>, Few<unsigned>), __vimax_s16x2_relu(x, y))                         \
  PROBE(vimin_s32_relu, (Few<int>, Few<int>), __vimin_s32_relu(x, y))                                       \
  PROBE(vimin_s16x2_relu, (Few<unsigned>, Few<unsigned>), __vimin_s16x2_relu(x, y))

RUN_PROBES
