// Events: points in time of a stream, measured when they are recorded.
#pragma once

#include "cuset_emulator/stream_types.h"

namespace cuset_emulator {

bool is_event(cudaEvent_t event);

}  // namespace cuset_emulator
