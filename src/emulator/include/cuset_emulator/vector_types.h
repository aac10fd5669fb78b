// CUDA's short vectors: char1 .. double4, with the sizes and alignments of the device, and dim3. Plain
// aggregates without operators, because programs bring their own.
#pragma once

#include "cuset_emulator/qualifiers.h"

#define CUSET_VECTOR_TYPES(name, type, alignment2, alignment4) \
  struct name##1 { type x; };                                  \
  struct __align__(alignment2) name##2 { type x, y; };         \
  struct name##3 { type x, y, z; };                            \
  struct __align__(alignment4) name##4 { type x, y, z, w; }

CUSET_VECTOR_TYPES(char, signed char, 2, 4);
CUSET_VECTOR_TYPES(uchar, unsigned char, 2, 4);
CUSET_VECTOR_TYPES(short, short, 4, 8);
CUSET_VECTOR_TYPES(ushort, unsigned short, 4, 8);
CUSET_VECTOR_TYPES(int, int, 8, 16);
CUSET_VECTOR_TYPES(uint, unsigned int, 8, 16);
CUSET_VECTOR_TYPES(long, long int, 16, 16);
CUSET_VECTOR_TYPES(ulong, unsigned long int, 16, 16);
CUSET_VECTOR_TYPES(longlong, long long int, 16, 16);
CUSET_VECTOR_TYPES(ulonglong, unsigned long long int, 16, 16);
CUSET_VECTOR_TYPES(float, float, 8, 16);
CUSET_VECTOR_TYPES(double, double, 16, 16);

#undef CUSET_VECTOR_TYPES

// The 4-wide types of 8-byte elements by their alignment, as newer toolkits name them.
#define CUSET_ALIGNED_VECTORS(name, type)                \
  struct __align__(16) name##4_16a { type x, y, z, w; }; \
  struct __align__(32) name##4_32a { type x, y, z, w; }

CUSET_ALIGNED_VECTORS(long, long int);
CUSET_ALIGNED_VECTORS(ulong, unsigned long int);
CUSET_ALIGNED_VECTORS(longlong, long long int);
CUSET_ALIGNED_VECTORS(ulonglong, unsigned long long int);
CUSET_ALIGNED_VECTORS(double, double);

#undef CUSET_ALIGNED_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  // From threadIdx and its like, which are no uint3 here.
  template <class Index, class = typename Index::BuiltinIndex>
  __device__ dim3(const Index& index) : x(index.x), y(index.y), z(index.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
