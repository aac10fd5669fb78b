// CUPTI, found at run time: the library is no dependency of what is loaded into foreign programs, and a
// program without it runs on unrecorded. CUSET_CUPTI_LIBRARY names the file; without it the linker's search
// decides.
#pragma once

#include <cupti.h>

namespace cuset_injection {

struct Cupti {
  decltype(&cuptiGetVersion) version;
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiEnableCallback) enable_callback;
  decltype(&cuptiEnableDomain) enable_domain;
  decltype(&cuptiActivityRegisterCallbacks) register_activity;
  decltype(&cuptiActivityEnable) enable_activity;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiActivityFlushAll) flush;
};

// Null where the library or one of the functions is missing, or where its records are laid out otherwise than
// in the headers this was compiled with.
const Cupti* find_cupti();

}  // namespace cuset_injection
