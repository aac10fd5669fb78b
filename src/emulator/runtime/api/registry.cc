#include "runtime/api/registry.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/api/deferred_work.h"
#include "runtime/launch/child_grids.h"
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
  bool has_gpu_code = false;
};

// Device code for a GPU that is being registered: it is complete at the end of its registration.
struct Image {
  RemoteImage content;
  std::vector<const void*> stubs;
  struct Managed {
    std::string name;
    void** host_pointer;
    size_t bytes;
  };
  std::vector<Managed> managed;
};

// The documented layout of what nvcc embeds: a wrapper that points to a header, which the code follows.
struct ImageWrapper {
  uint32_t magic;
  uint32_t version;
  const void* data;
};
struct ImageHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;
};
constexpr uint32_t kWrapperMagic = 0x466243b1;
constexpr uint32_t kImageMagic = 0xba55ed50;

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
  if (module.architecture >= 900) adopt_compute_capability_9();
  register_child_kernels(module);
  std::lock_guard lock(registry().mutex);
  for (uint32_t i = 0; i < module.kernel_count; ++i) {
    const CusetKernel& kernel = module.kernels[i];
    registry().kernels.insert_or_assign(kernel.name, &kernel);
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

// Null where it is none for a GPU: programs of the emulator have a line of text there.
Image* read_image(const void* registered) {
  const auto* wrapper = static_cast<const ImageWrapper*>(registered);
  if (remote_device() == nullptr || wrapper == nullptr || wrapper->magic != kWrapperMagic) return nullptr;
  ImageHeader header;
  std::memcpy(&header, wrapper->data, sizeof header);
  if (header.magic != kImageMagic) return nullptr;
  const auto* begin = static_cast<const char*>(wrapper->data);
  auto* image = new Image;  // as long as the program: its handle is the program's
  image->content.bytes = {begin, header.header_bytes + header.bytes};
  return image;
}

// What the runtime knows of a kernel that runs on a GPU in another process. Never freed, as the program's own.
const CusetKernel* make_kernel(const RemoteKernel& remote) {
  auto* kernel = new CusetKernel{};
  kernel->name = (new std::string(remote.name))->c_str();
  kernel->parameter_count = static_cast<uint32_t>(remote.argument_sizes.size());
  kernel->static_shared_bytes = remote.static_shared_bytes;
  kernel->most_threads = remote.most_threads;
  return kernel;
}

// Managed variables are reached through a pointer that the runtime sets.
void place_managed(const Image::Managed& managed) {
  void* here = std::calloc(1, managed.bytes);
  *managed.host_pointer = here;
  remote_device()->share_variable(managed.name, reinterpret_cast<uint64_t>(here), managed.bytes, true);
}

void load_image(const Image& image) {
  const RemoteSymbols symbols = remote_device()->load(image.content);
  std::unordered_map<std::string, const RemoteKernel*> by_name;
  {
    std::lock_guard lock(registry().mutex);
    registry().has_gpu_code = true;
    for (const RemoteKernel& kernel : symbols.kernels) {
      registry().kernels.emplace(kernel.name, make_kernel(kernel));
      by_name[kernel.name] = &kernel;
    }
    for (const void* host_stub : image.stubs) {
      Stub& stub = registry().stubs[host_stub];
      const auto kernel = by_name.find(stub.name);
      if (kernel != by_name.end()) stub.function.argument_sizes = kernel->second->argument_sizes;
    }
  }
  for (const Image::Managed& managed : image.managed) place_managed(managed);
}

// The image that a handle stands for; null for programs of the emulator.
Image* image_of(void** handle) { return handle == nullptr ? nullptr : static_cast<Image*>(*handle); }

}  // namespace

bool has_gpu_code() {
  std::lock_guard lock(registry().mutex);
  return registry().has_gpu_code;
}

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

bool set_required_cluster(const void* host_stub, int axis, uint32_t blocks) {
  std::lock_guard lock(registry().mutex);
  Stub* stub = resolve(host_stub);
  if (!stub) return false;
  uint32_t(&sizes)[3] = stub->function.required_cluster;
  for (uint32_t& size : sizes) size = std::max(size, 1u);
  sizes[axis] = blocks;
  return true;
}

bool allow_non_portable_cluster(const void* host_stub, bool allowed) {
  std::lock_guard lock(registry().mutex);
  Stub* stub = resolve(host_stub);
  if (stub) stub->function.non_portable_cluster = allowed;
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

void** __cudaRegisterFatBinary(void* registered) {
  return new void*(read_image(registered));  // as long as the program
}

void __cudaRegisterFatBinaryEnd(void** handle) {
  if (const Image* image = image_of(handle)) load_image(*image);
}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host_stub, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
  if (Image* image = image_of(handle)) {
    image->content.kernels.emplace_back(name);
    image->stubs.push_back(host_stub);
  }
  std::lock_guard lock(registry().mutex);
  registry().stubs[host_stub].name = name;
  resolve(host_stub);  // now: another library may bring a kernel of this name later
}

void __cudaRegisterVar(void** handle, char* host_shadow, char*, const char* name, int, size_t, int, int) {
  if (Image* image = image_of(handle)) image->content.variables.emplace_back(name);
  std::lock_guard lock(registry().mutex);
  registry().shadows[host_shadow] = name;
}

// The pass makes host and device share a managed variable: `address` already points to it. nvcc leaves a pointer
// to be set.
void __cudaRegisterManagedVar(void** handle, void** host_shadow, char*, const char* name, int, size_t bytes,
                              int, int) {
  if (Image* image = image_of(handle)) {
    image->content.variables.emplace_back(name);
    image->managed.push_back({name, host_shadow, bytes});
  }
  std::lock_guard lock(registry().mutex);
  registry().shadows[static_cast<const void*>(host_shadow)] = name;
}

void __cudaInitModule(void**) {}

}  // extern "C"
