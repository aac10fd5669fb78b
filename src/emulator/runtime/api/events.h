// Events: points in time of a stream, measured when they are recorded.
#pragma once

#include "cuset_emulator/stream_types.h"
#include "runtime/api/deferred_work.h"

namespace cuset_emulator {

bool is_event(cudaEvent_t event);

// Where it was last recorded, as far as that is left for later.
StreamPlace place_of(cudaEvent_t event);

}  // namespace cuset_emulator
