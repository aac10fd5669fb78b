// Streams. Work runs when it is put into a stream, so every stream is idle between calls; a stream is its
// settings.
#pragma once

#include "cuset_emulator/stream_types.h"

namespace cuset_emulator {

// Also true of the default streams: null, cudaStreamLegacy and cudaStreamPerThread.
bool is_stream(cudaStream_t stream);

}  // namespace cuset_emulator
