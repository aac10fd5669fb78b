// The loops for machines with AVX512; see loop_set_body.h.
#define CUSET_LOOP_LANES 16
#define CUSET_LOOP_SUMS 30
#include "ops/cpu/loop_set_body.h"

namespace cuset::ops {

constinit const LoopSet kLoopSetAvx512 = loop_set("avx512");

}  // namespace cuset::ops
