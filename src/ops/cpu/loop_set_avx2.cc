// The loops for machines with AVX2 and fused multiply-add; see loop_set_body.h.
#define CUSET_LOOP_LANES 8
#define CUSET_LOOP_SUMS 12
#include "ops/cpu/loop_set_body.h"

namespace cuset::ops {

constinit const LoopSet kLoopSetAvx2 = loop_set("avx2");

}  // namespace cuset::ops
