// Whether anybody waits for the work of streams, where work runs when it is put into a stream. A caller that continues in the
// default stream sees on a GPU only what that stream, or the host, waited for: blocking streams, streams whose event it
// waits for, also through others, and what a call synchronized with. KernelBench's modules are asked after each call
// (docs/benchmarks.md); without a timeline nothing is noted.
#pragma once

#include "cuset_emulator/stream_types.h"

namespace cuset_emulator {

void note_stream_work(cudaStream_t stream);
void note_event_record(cudaEvent_t event, cudaStream_t stream);
void note_event_wait(cudaStream_t stream, cudaEvent_t event);
void note_stream_synchronized(cudaStream_t stream);
void note_event_synchronized(cudaEvent_t event);
void note_device_synchronized();

}  // namespace cuset_emulator
