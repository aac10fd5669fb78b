// Thread block clusters: blocks that run together, meet at a barrier and reach each other's shared memory. Compute
// capability 9.0.
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/vector_types.h"

#if defined(__CUDA__) && CUSET_ARCHITECTURE >= 900

CUSET_DEVICE_FUNCTION dim3 __clusterDim() {
  return dim3(cuset_context.cluster_dim[0], cuset_context.cluster_dim[1], cuset_context.cluster_dim[2]);
}
CUSET_DEVICE_FUNCTION dim3 __clusterRelativeBlockIdx() {
  const dim3 size = __clusterDim();
  return dim3(blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z);
}
CUSET_DEVICE_FUNCTION dim3 __clusterIdx() {
  const dim3 size = __clusterDim();
  return dim3(blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z);
}
CUSET_DEVICE_FUNCTION dim3 __clusterGridDimInClusters() {
  const dim3 size = __clusterDim();
  return dim3(gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z);
}
CUSET_DEVICE_FUNCTION unsigned int __clusterRelativeBlockRank() { return cuset_context.cluster_rank; }
CUSET_DEVICE_FUNCTION unsigned int __clusterSizeInBlocks() {
  return cuset_context.cluster_dim[0] * cuset_context.cluster_dim[1] * cuset_context.cluster_dim[2];
}
CUSET_DEVICE_FUNCTION unsigned int __clusterDimIsSpecified() { return __clusterSizeInBlocks() > 1; }

// Who arrives has to wait, so waiting as a barrier of its own orders all that arrival promises.
CUSET_DEVICE_FUNCTION void __cluster_barrier_arrive() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CUSET_DEVICE_FUNCTION void __cluster_barrier_arrive_relaxed() {}
CUSET_DEVICE_FUNCTION void __cluster_barrier_wait() { cuset_request(CUSET_CLUSTER_BARRIER, 0, 0, 0); }

CUSET_DEVICE_FUNCTION void* __cluster_map_shared_rank(const void* address, unsigned int rank) {
  return cuset_context.cluster_shared[rank] + (static_cast<const char*>(address) - cuset_context.shared);
}

// The block whose shared memory begins last before the address.
CUSET_DEVICE_FUNCTION unsigned int __cluster_query_shared_rank(const void* address) {
  const char* const wanted = static_cast<const char*>(address);
  unsigned int found = cuset_context.cluster_rank;
  const char* start = nullptr;
  for (unsigned int rank = 0; rank < __clusterSizeInBlocks(); ++rank) {
    const char* const shared = cuset_context.cluster_shared[rank];
    if (shared > wanted || shared < start) continue;
    start = shared;
    found = rank;
  }
  return found;
}

#endif
