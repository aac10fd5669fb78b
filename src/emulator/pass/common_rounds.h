// Loops inside a kernel that all threads of a block go through together, and that are faster with the threads innermost:
//
//   for each thread: for k: sum += a[row][k] * b[k][column]     becomes     for k: for each thread: ...
//
// The loop over the threads is then innermost, and vectorized, where LLVM would leave a loop around another alone. Threads may
// leave such a loop at different times if they count to the same end in steps of the same size: then no thread goes round
// much more often than others.
#pragma once

#include <set>

#include "pass/thread_body.h"
#include "pass/uniformity.h"

namespace cuset_pass {

// Copies of a few words, of a struct say, become loads and stores, which go from thread to thread as others do.
void expand_small_copies(llvm::Function& body);

// Counters that threads begin differently and advance alike, `i = threadIdx.x; ...; i += blockDim.x`, become a beginning and a
// count that is the same for all threads, so that addresses stay ones of neighbors.
void separate_counts(llvm::Function& body, const Uniformity& uniformity);

// The heads of such loops: innermost ones whose accesses go from thread to thread as through an array.
std::set<llvm::BasicBlock*> common_rounds(const ThreadBody& body, const Uniformity& uniformity);

}  // namespace cuset_pass
