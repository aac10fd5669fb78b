// cuSPARSE as far as it is served: CSR, CSC and COO of float and double; products, triangular systems, ILU(0), conversions.
// Its kernels are CUDA kernels of ours, compiled with the program like any other. What is not declared here is not served.
#pragma once
#define CUSPARSE_H_  // NVIDIA's include guard
#define CUSPARSEAPI  // helper headers ask for it
#define CUSPARSE_VERSION 12500

#include "cuset_emulator/cusparse/conversions.h"
#include "cuset_emulator/cusparse/descriptors.h"
#include "cuset_emulator/cusparse/products.h"
#include "cuset_emulator/cusparse/solves.h"
#include "cuset_emulator/cusparse/spgemm.h"
#include "cuset_emulator/cusparse/types.h"
