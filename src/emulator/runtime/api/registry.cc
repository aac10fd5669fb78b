#include "runtime/api/registry.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/api/deferred_work.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

struct Stub {
  std::string name;
  KernelFunction function;
};

// A variable's bytes before the program could change them; empty if they were all zero.
struct InitialValue {
  const CusetVariable* variable;
  std::vector<char> bytes;
};

constexpr uint64_t kLargestKept = 16 << 20;  // larger variables keep their values over a reset

struct Registry {
  std::mutex mutex;
  std::vector<InitialValue> initial_values;
  std::unordered_map<std::string, const CusetKernel*> kernels;
  std::unordered_map<std::string, const CusetVariable*> variables;
  std::unordered_map<const void*, Stub> stubs;
  std::unordered_map<const void*, std::string> shadows;
  std::vector<std::string> managed;  // that the remote device was not told of yet
};

// Never destroyed: the program's own destructors may still launch.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

// The stub with its kernel, null if there is none. The registry is locked.
Stub* resolve(const void* host_stub) {
  auto stub = registry().stubs.find(host_stub);
  if (stub == registry().stubs.end()) return nullptr;
  KernelFunction& function = stub->second.function;
  if (!function.kernel) {
    auto kernel = registry().kernels.find(stub->second.name);
    if (kernel == registry().kernels.end()) return nullptr;
    function.kernel = kernel->second;
  }
  return &stub->second;
}

bool is_zero(const char* begin, uint64_t bytes) {
  return std::all_of(begin, begin + bytes, [](char byte) { return byte == 0; });
}

void keep_initial_value(const CusetVariable& variable) {
  if (variable.bytes == 0 || variable.bytes > kLargestKept) return;
  const char* begin = static_cast<const char*>(variable.address);
  const bool zero = is_zero(begin, variable.bytes);
  registry().initial_values.push_back(
      {&variable, zero ? std::vector<char>() : std::vector<char>(begin, begin + variable.bytes)});
}

void register_module(const CusetModule& module) {
  std::lock_guard lock(registry().mutex);
  for (uint32_t i = 0; i < module.kernel_count; ++i) {
    const CusetKernel& kernel = module.kernels[i];
    registry().kernels.emplace(kernel.name, &kernel);
    if (kernel.flags & CUSET_KERNEL_CHECKED) {
      track_initialization();
      defer_work();
    }
  }
  std::vector<Allocation> ranges;
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    const CusetVariable& variable = module.variables[i];
    registry().variables.emplace(variable.name, &variable);
    if (variable.is_managed != 0) registry().managed.push_back(variable.name);
    keep_initial_value(variable);
    ranges.push_back(
        {reinterpret_cast<uint64_t>(variable.address), variable.bytes, MemoryKind::kVariable, 0, false});
  }
  adopt_ranges(std::move(ranges));
}

}  // namespace

std::optional<KernelFunction> find_kernel(const void* host_stub) {
  std::lock_guard lock(registry().mutex);
  Stub* stub = resolve(host_stub);
  return stub ? std::optional(stub->function) : std::nullopt;
}

bool set_dynamic_shared_limit(const void* host_stub, uint32_t bytes) {
  std::lock_guard lock(registry().mutex);
  Stub* stub = resolve(host_stub);
  if (stub) stub->function.dynamic_shared_limit = bytes;
  return stub != nullptr;
}

bool set_carveout(const void* host_stub, int percent) {
  std::lock_guard lock(registry().mutex);
  Stub* stub = resolve(host_stub);
  if (stub) stub->function.carveout = percent;
  return stub != nullptr;
}

void reset_variables() {
  if (RemoteDevice* remote = remote_device()) remote->reset_variables();
  std::lock_guard lock(registry().mutex);
  for (const InitialValue& initial : registry().initial_values) {
    // Only what changed: checked programs list constants too, which cannot be written.
    char* address = static_cast<char*>(initial.variable->address);
    if (!initial.bytes.empty()) {
      if (std::memcmp(address, initial.bytes.data(), initial.bytes.size()) == 0) continue;
      std::memcpy(address, initial.bytes.data(), initial.bytes.size());
    } else if (!is_zero(address, initial.variable->bytes)) {
      std::memset(address, 0, initial.variable->bytes);
    }
  }
}

void share_managed_variables(RemoteDevice& remote) {
  std::lock_guard lock(registry().mutex);
  for (const std::string& name : registry().managed) {
    const auto variable = registry().variables.find(name);
    if (variable == registry().variables.end()) continue;
    const auto address = reinterpret_cast<uint64_t>(variable->second->address);
    remote.share_variable(name, address, variable->second->bytes);
  }
  registry().managed.clear();
}

const CusetKernel* find_kernel_named(const std::string& name) {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().kernels.find(name);
  return found == registry().kernels.end() ? nullptr : found->second;
}

std::vector<const CusetVariable*> all_variables() {
  std::lock_guard lock(registry().mutex);
  std::vector<const CusetVariable*> all;
  for (const auto& [name, variable] : registry().variables) all.push_back(variable);
  return all;
}

std::optional<VariableMemory> find_variable(const void* host_shadow) {
  std::lock_guard lock(registry().mutex);
  auto shadow = registry().shadows.find(host_shadow);
  if (shadow == registry().shadows.end()) return std::nullopt;
  if (RemoteDevice* remote = remote_device()) {
    const RemoteVariable* there = remote->find_variable(shadow->second);
    return there != nullptr ? std::optional(VariableMemory{there->address, there->bytes}) : std::nullopt;
  }
  auto variable = registry().variables.find(shadow->second);
  if (variable == registry().variables.end()) return std::nullopt;
  return VariableMemory{reinterpret_cast<uint64_t>(variable->second->address), variable->second->bytes};
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

// Called by constructors of the pass (cuset_*) and of clang's host code (__cuda*).
extern "C" {

void cuset_register_module(const CusetModule* module) {
  if (module) register_module(*module);
}

void cuset_register_arguments(const void* host_stub, uint32_t count, const uint32_t* sizes) {
  std::lock_guard lock(registry().mutex);
  registry().stubs[host_stub].function.argument_sizes.assign(sizes, sizes + count);
}

// Asked by the judge's harness.
int cuset_checks_bounds() { return tracks_initialization() ? 1 : 0; }

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void**, const char* host_stub, char*, const char* name, int, void*, void*, void*,
                            void*, int*) {
  std::lock_guard lock(registry().mutex);
  registry().stubs[host_stub].name = name;
}

void __cudaRegisterVar(void**, char* host_shadow, char*, const char* name, int, size_t, int, int) {
  std::lock_guard lock(registry().mutex);
  registry().shadows[host_shadow] = name;
}

// The pass makes host and device share a managed variable: `address` already points to it.
void __cudaRegisterManagedVar(void**, void** host_shadow, char*, const char* name, int, size_t, int, int) {
  std::lock_guard lock(registry().mutex);
  registry().shadows[static_cast<const void*>(host_shadow)] = name;
}

void __cudaInitModule(void**) {}

}  // extern "C"
