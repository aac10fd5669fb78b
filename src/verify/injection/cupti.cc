#include "verify/injection/cupti.h"

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>

namespace cuset_injection {
namespace {

void* open_library() {
  if (const char* path = std::getenv("CUSET_CUPTI_LIBRARY")) return ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

const Cupti* find_cupti() {
  static Cupti cupti{};
  static const bool whole = [] {
    void* library = open_library();
    return library != nullptr && find(library, "cuptiSubscribe", cupti.subscribe) &&
           find(library, "cuptiEnableCallback", cupti.enable_callback) &&
           find(library, "cuptiEnableDomain", cupti.enable_domain) &&
           find(library, "cuptiActivityRegisterCallbacks", cupti.register_activity) &&
           find(library, "cuptiActivityEnable", cupti.enable_activity) &&
           find(library, "cuptiActivityGetNextRecord", cupti.next_record) &&
           find(library, "cuptiActivityFlushAll", cupti.flush) &&
           find(library, "cuptiActivityFlushPeriod", cupti.set_flush_period);
  }();
  return whole ? &cupti : nullptr;
}

}  // namespace cuset_injection
