// A kernel's launch as the host asks for it: shape and arguments, checked as CUDA checks them, then run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuset_emulator/stream_types.h"
#include "runtime/api/registry.h"
#include "runtime/launch/launch.h"

namespace cuset_emulator {

// The arguments of one launch as the pass's kernels take them: one slot of 8 bytes each, holding the value if
// that has 1, 2, 4 or 8 bytes, else the address of its bytes, which live here.
class KernelArguments {
 public:
  void add(const void* value, size_t bytes);
  const std::vector<uint64_t>& slots() const { return slots_; }
  const std::vector<uint32_t>& sizes() const { return sizes_; }
  // Where each argument's bytes lie; as long as this lives and nothing is added.
  void** pointers() const;

 private:
  struct Freed {
    void operator()(void* memory) const;
  };
  std::vector<uint64_t> slots_;
  std::vector<uint32_t> sizes_;
  std::vector<std::unique_ptr<void, Freed>> structs_;
  mutable std::vector<void*> pointers_;
};

struct KernelCall {
  const void* host_stub = nullptr;
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  KernelArguments arguments;
  dim3 cluster{0, 0, 0};  // zeros: the launch names none
};

// Adds the arguments that `values` points to; their sizes are the kernel's.
cudaError_t add_arguments(KernelCall& call, void** values);

// Why the launch would be refused, which is recorded.
cudaError_t check_call(const KernelCall& call);

// Refusals are returned; what fails on the device becomes the device's fault. The caller holds
// device_mutex().
cudaError_t run_call(const KernelCall& call);

// The cluster of a launch of this kernel that names `given` (zeros: none).
dim3 cluster_of(const KernelFunction& function, const dim3& given);

// Why the device has no clusters of this shape, of `function` in a grid.
cudaError_t check_cluster(const KernelFunction& function, const dim3& given, const dim3& grid);

// Blocks of this shape that a multiprocessor holds at once; 0 if none fits.
int resident_blocks(uint64_t threads, uint64_t shared_bytes);

}  // namespace cuset_emulator
