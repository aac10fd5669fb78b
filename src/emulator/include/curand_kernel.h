// cuRAND's device API: the generators XORWOW and Philox4x32-10 with uniform, normal and log-normal numbers.
#pragma once
#define CURAND_KERNEL_H_  // NVIDIA's include guard

#include "cuda_runtime.h"
#include "cuset_emulator/random/distributions.h"
#include "cuset_emulator/random/philox.h"
#include "cuset_emulator/random/xorwow.h"

// The generators that are not served, so that programs get a word about it instead of an unknown name.
struct curandStateMRG32k3a {};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStateSobol32 {};
typedef struct curandStateSobol32 curandStateSobol32_t;
__device__ inline void curand_init(unsigned long long, unsigned long long, unsigned long long,
                                   curandStateMRG32k3a_t*) {
  cuset_unsupported("curandStateMRG32k3a");
}
