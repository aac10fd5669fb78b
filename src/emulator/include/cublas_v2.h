// cuBLAS as far as it is served: levels 1 to 3 of float, double and complex numbers, products of half and bfloat16. Its kernels are CUDA
// kernels of ours, compiled with the program like any other, so streams, checks and records need nothing of their own.
// Matrices are stored by columns. What is not declared here is not served.
#pragma once
#define CUBLAS_API_H_  // NVIDIA's include guards, which helper headers ask for
#define CUBLAS_V2_H_

#include "cuset_emulator/cublas/batched.h"
#include "cuset_emulator/cublas/complex.h"
#include "cuset_emulator/cublas/extras.h"
#include "cuset_emulator/cublas/level1.h"
#include "cuset_emulator/cublas/level2.h"
#include "cuset_emulator/cublas/level3.h"
#include "cuset_emulator/cublas/types.h"
