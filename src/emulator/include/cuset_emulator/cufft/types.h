// cuFFT: status, types of transforms, callbacks, and what a plan keeps.
#pragma once

#include <mutex>
#include <vector>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_VERSION 11300
#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 3
#define CUFFT_VER_PATCH 0

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

typedef enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

#define CUSET_CUFFT_CALLBACKS(letter, type)                               \
  typedef type (*cufftCallbackLoad##letter)(void*, size_t, void*, void*); \
  typedef void (*cufftCallbackStore##letter)(void*, size_t, type, void*, void*);
CUSET_CUFFT_CALLBACKS(C, cufftComplex)
CUSET_CUFFT_CALLBACKS(Z, cufftDoubleComplex)
CUSET_CUFFT_CALLBACKS(R, cufftReal)
CUSET_CUFFT_CALLBACKS(D, cufftDoubleReal)
#undef CUSET_CUFFT_CALLBACKS

namespace cufft {

constexpr int kMaxRank = 3;
// Prime factors above it are transformed by Bluestein's algorithm.
constexpr int kLargestRadix = 31;

// Where the elements of a batch lie: element (i, j, k) of transform b at b * dist + stride * ((i * embed[1] + j) * embed[2] + k).
struct Layout {
  long long embed[kMaxRank] = {1, 1, 1};
  long long stride = 1, dist = 0;
};

// The factors of a length in the order of their passes, and exp(-2 pi i k / length) on the device.
struct Passes {
  long long length = 1;
  std::vector<int> radices;
  double2* roots = nullptr;
};

// One axis of a transform. Where `padded.length` is above 1 it is a convolution with a chirp.
struct Axis {
  long long inner = 1;  // how far apart its elements are
  Passes direct, padded;
  double2* chirp = nullptr;     // exp(-pi i k^2 / length)
  double2* spectrum = nullptr;  // of the chirp that is convolved with
};

struct Callback {
  void* function = nullptr;
  void* info = nullptr;
  unsigned int shared_bytes = 0;
};

struct Plan {
  bool made = false;
  cufftType type = CUFFT_C2C;
  int rank = 1;
  long long n[kMaxRank] = {1, 1, 1};
  long long batch = 1, chunk = 1;  // transforms in all, and at a time
  bool packed_input = true, packed_output = true;
  Layout input, output;
  Axis axes[kMaxRank];
  cudaStream_t stream = nullptr;
  bool owns_work = true;
  char* work = nullptr;
  size_t work_bytes = 0;
  Callback load, store;
  long long size() const { return n[0] * n[1] * n[2]; }
};

struct PlanTable {
  std::mutex mutex;
  std::vector<Plan*> plans;
};
inline PlanTable& plan_table() {
  static PlanTable table;
  return table;
}

// Null for a handle that was never made or is destroyed.
inline Plan* plan_of(cufftHandle handle) {
  PlanTable& table = plan_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const bool known = handle > 0 && handle <= static_cast<int>(table.plans.size());
  return known ? table.plans[handle - 1] : nullptr;
}

inline bool is_double(cufftType type) { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
inline bool is_real_input(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
inline bool is_real_output(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

inline cufftResult status_of(cudaError_t error) {
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // namespace cufft
