// Work of streams that waits until the host synchronizes, in checked programs. A GPU may be as late: a host that
// reads a result, changes an input or starts another stream without waiting gets old or wrong data here every
// time, not now and then.
//
// Each stream runs its work in order. The default stream waits for the blocking streams and they for it, a
// stream waits for the events it was told to wait for; nothing else orders streams. Where all of them are
// waited for, the stream that was used last runs first. Where one is waited for, only that runs, or, in every other
// order of the threads (schedule.h), all others run first as far as nothing holds them back: a reader that relies on the
// host's waiting for the writer before it waits for the reader comes too early.
//
// The caller of every function holds device_mutex(), but for defers_work() and finish_pending_work().
#pragma once

#include <cstdint>

#include "runtime/api/graphs.h"

namespace cuset_emulator {

bool defers_work();
void defer_work();  // from now on; called when a checked kernel is registered

// A place in the work of a stream.
struct StreamPlace {
  cudaStream_t stream = nullptr;
  uint64_t number = 0;  // 0: before everything
};

// Puts work behind what the stream has, and says where.
StreamPlace put_work(cudaStream_t stream, Work work);
void put_wait(cudaStream_t stream, const StreamPlace& place);

bool is_done(const StreamPlace& place);
void finish_work(const StreamPlace& place);
StreamPlace last_work(cudaStream_t stream);
void finish_stream(cudaStream_t stream);  // the default stream: and all that it waits for
void finish_all_streams();
void finish_pending_work();  // of all streams, from a call that does not wait otherwise

}  // namespace cuset_emulator
