// Work on many pieces by several threads, each taking the next piece when it is done with one.
#pragma once

#include <cstddef>
#include <functional>

namespace cuset {

// Calls work(0) .. work(count - 1), begun in this order, on `workers` threads (0: one per core). Ends early
// at an interrupt (base/interrupt.h), after the pieces in hand; or at an exception, which is thrown again
// here.
void work_in_threads(size_t count, int workers, const std::function<void(size_t)>& work);

}  // namespace cuset
