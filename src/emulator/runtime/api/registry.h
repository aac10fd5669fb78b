// What the program's constructors registered: kernels and variables of device code by their mangled names,
// and the host's handles for them (the address of a kernel's host stub, of a variable's host shadow). Host
// and device code register in any order, so names are resolved when they are first used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {

struct KernelFunction {
  const CusetKernel* kernel = nullptr;
  std::vector<uint32_t> argument_sizes;  // empty if the host never told them
  uint32_t dynamic_shared_limit = 0;     // by cudaFuncSetAttribute, 0 for the default
  int carveout = -1;
  uint32_t required_cluster[3] = {0, 0, 0};  // by cudaFuncSetAttribute; zeros: none
  bool non_portable_cluster = false;
};

// None if the handle is not that of a kernel with device code.
std::optional<KernelFunction> find_kernel(const void* host_stub);
bool set_dynamic_shared_limit(const void* host_stub, uint32_t bytes);
bool set_carveout(const void* host_stub, int percent);
bool set_required_cluster(const void* host_stub, int axis, uint32_t blocks);
bool allow_non_portable_cluster(const void* host_stub, bool allowed);

// Whether the program brought device code for a GPU, which runs there in another process.
bool has_gpu_code();

// By its mangled name; null if device code has none of that name.
const CusetKernel* find_kernel_named(const std::string& name);
// All variables of device code.
std::vector<const CusetVariable*> all_variables();

// Tells the remote device of managed variables; again only of new ones.
class RemoteDevice;
void share_managed_variables(RemoteDevice& remote);

struct VariableMemory {
  uint64_t address = 0;
  uint64_t bytes = 0;
};
// None if the handle is not that of a variable of device code.
std::optional<VariableMemory> find_variable(const void* host_shadow);

// Variables of up to 16 MiB get the values back that they had when the program began.
void reset_variables();

}  // namespace cuset_emulator
