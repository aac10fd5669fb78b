// CUDA's words for functions and variables, as attributes of clang. The device pass adds marks for the
// compiler pass: kernels are annotated and use ms_abi, so that one argument is one slot of 8 bytes; shared
// and managed variables are annotated, too (a section would not do for shared ones: clang makes them static
// only after it has looked at it).
//
// Ordinary C++ compilers (the runtime, unit tests) see no qualifiers at all.
#pragma once

// What the program is compiled for: 900 where it uses clusters (toolchain.h), else 800.
#ifndef CUSET_ARCHITECTURE
#define CUSET_ARCHITECTURE 800
#endif

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#if defined(CUSET_DEVICE_PASS)
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ CUSET_ARCHITECTURE
#define CUSET_KERNEL_ABI __attribute__((ms_abi))
#define __global__ __attribute__((global, ms_abi, annotate("cuset_kernel")))
#define __shared__ __attribute__((shared, annotate("cuset_shared")))
#define __constant__ __attribute__((device))
#else
#define CUSET_KERNEL_ABI
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif
#define __managed__ __attribute__((device, annotate("cuset_managed")))
// A call of such a function stops the compilation with a message that the toolchain knows.
#define CUSET_UNSERVED(construct) __attribute__((diagnose_if(true, "unsupported: " construct, "error")))
#if CUSET_ARCHITECTURE >= 900
#define __cluster_dims__(...) __attribute__((annotate("cuset_cluster_dims", __VA_ARGS__)))
#else
#define __cluster_dims__(...) \
  __attribute__((annotate("", cluster_dims_not_supported_for_this_GPU_architecture)))
#endif
#else
#define CUSET_KERNEL_ABI
#define __host__
#define __device__
#define CUSET_UNSERVED(construct)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
// The number of threads comes first; it may be an expression with commas of its own.
#define __launch_bounds__(...) __attribute__((annotate("cuset_launch_bounds", __VA_ARGS__)))
#define __maxnreg__(...)
#define __grid_constant__
#define __nv_pure__ __attribute__((pure))

#if defined(__CUDA__)
#define __CUDACC__ 1
#ifndef CUSET_PYTORCH  // whose headers then want to know of nvcc which lambdas are extended
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION
// CCCL takes the version of clang's CUDA from here, and looks for the types of these headers unless told.
#define CUDA_VERSION 12080
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT
#define CCCL_DISABLE_NVTX
#define __CUDA_ARCH_LIST__ CUSET_ARCHITECTURE
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif

// How this library's own functions are declared.
#define CUSET_DEVICE_FUNCTION __device__ static inline __attribute__((always_inline))
#define CUSET_BOTH_FUNCTION __host__ __device__ static inline __attribute__((always_inline))
