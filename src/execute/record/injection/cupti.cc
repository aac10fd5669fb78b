#include "execute/record/injection/cupti.h"

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

// Versions are 130001 for CUDA 13.0; before that they were small numbers that say nothing of CUDA's own.
bool has_our_layout(const Cupti& cupti) {
  uint32_t version = 0;
  if (cupti.version(&version) != CUPTI_SUCCESS) return false;
  return version == CUPTI_API_VERSION || (version >= 130000 && version / 10000 == CUPTI_API_VERSION / 10000);
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
           find(library, "cuptiGetVersion", cupti.version) && has_our_layout(cupti);
  }();
  return whole ? &cupti : nullptr;
}

}  // namespace cuset_injection
