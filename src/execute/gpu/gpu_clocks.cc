#include "execute/gpu/gpu_clocks.h"

#include <dlfcn.h>

namespace cuset::execute {
namespace {

constexpr int kSuccess = 0;
// Of nvmlClocksEventReasons: HwSlowdown, SwThermalSlowdown, HwThermalSlowdown, HwPowerBrakeSlowdown.
constexpr unsigned long long kSlowdowns = 0x08 | 0x20 | 0x40 | 0x80;

template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

// NVML by its documented C interface; never unloaded.
struct GpuClocks::Library {
  int (*initialize)() = nullptr;
  int (*device_of_uuid)(const char*, void**) = nullptr;
  int (*reasons)(void*, unsigned long long*) = nullptr;
};

std::optional<GpuClocks> GpuClocks::find(const std::string& uuid) {
  static const std::shared_ptr<const Library> library = []() -> std::shared_ptr<const Library> {
    void* opened = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    Library found;
    const bool whole = opened != nullptr && find_function(opened, "nvmlInit_v2", found.initialize) &&
                       find_function(opened, "nvmlDeviceGetHandleByUUID", found.device_of_uuid) &&
                       find_function(opened, "nvmlDeviceGetCurrentClocksThrottleReasons", found.reasons) &&
                       found.initialize() == kSuccess;
    return whole ? std::make_shared<const Library>(found) : nullptr;
  }();
  void* device = nullptr;
  if (!library || library->device_of_uuid(uuid.c_str(), &device) != kSuccess) return std::nullopt;
  return GpuClocks(library, device);
}

GpuClocks::GpuClocks(std::shared_ptr<const Library> library, void* device)
    : library_(std::move(library)), device_(device) {}

bool GpuClocks::is_slowed_down() const {
  unsigned long long reasons = 0;
  return library_->reasons(device_, &reasons) == kSuccess && (reasons & kSlowdowns) != 0;
}

}  // namespace cuset::execute
