// cuRAND's device API: the generators XORWOW, Philox4x32-10 and MRG32k3a with uniform, normal, log-normal and Poisson numbers.
#pragma once
#define CURAND_KERNEL_H_  // NVIDIA's include guard

#include "cuda_runtime.h"
#include "curand.h"
#include "cuset_emulator/random/distributions.h"
#include "cuset_emulator/random/philox.h"
#include "cuset_emulator/random/xorwow.h"

// The generators that are not served, so that programs get a word about it instead of an unknown name.
struct curandStateSobol32 {};
typedef struct curandStateSobol32 curandStateSobol32_t;
