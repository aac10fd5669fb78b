// CUPTI, found at run time: the library is no dependency of what is loaded into foreign programs, and a
// program without it runs on unrecorded. CUSET_CUPTI_LIBRARY names the file; without it the linker's search
// decides.
#pragma once

#include <cupti.h>

namespace cuset_injection {

struct Cupti {
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiEnableCallback) enable_callback;
  decltype(&cuptiEnableDomain) enable_domain;
  decltype(&cuptiActivityRegisterCallbacks) register_activity;
  decltype(&cuptiActivityEnable) enable_activity;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiActivityFlushAll) flush;
  decltype(&cuptiActivityFlushPeriod) set_flush_period;
};

// Null where the library or one of the functions is missing.
const Cupti* find_cupti();

}  // namespace cuset_injection
