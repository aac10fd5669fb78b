// What in a kernel depends on the execution model, for analysis. Each kind is found by form and name, not by
// types:
//
//   thread_indexing   threadIdx, blockIdx, blockDim, gridDim (with their member) and warpSize; cooperative
//                     groups (this_thread_block(), tiled_partition<32>(b), ...) and their ranks and sizes
//                     (g.thread_rank(), g.num_threads(), ...), from the receiver through the call. Neighbors
//                     joined by one arithmetic operator are one region: `blockIdx.x * blockDim.x +
//                     threadIdx.x`.
//   shared_memory     a `__shared__` declaration through its `;`, and every mention of a variable so
//                     declared, with the subscripts and members after it.
//   synchronization   barriers, fences, warp votes and shuffles, atomics, waits and arrivals, as whole calls:
//                     `__syncthreads()`, `__shfl_down_sync(m, v, 1)`, `atomicAdd(&x[i], v)`, `grid.sync()`.
//   global_memory     `p[i]`, `p->m`, `*p`, `*(p + i)` where p is a pointer, array or tensor-accessor
//                     parameter, or casts of it; loads and stores by function (__ldg, __stcs, ...),
//                     asynchronous copies, textures.
//
// A pointer declared in the body whose initializer mentions a shared or global pointer takes over its kind
// (`float4* v = reinterpret_cast<float4*>(x);`). Inline assembly is one region of each kind that its text
// names (cp.async, bar.sync, ld.shared, %tid, ...). Memory reached through struct members is not found.
#pragma once

#include <vector>

#include "cuda_source/code.h"
#include "cuda_source/functions.h"
#include "cuda_source/regions.h"

namespace cuset::cuda_source {

// Appends the sensitive regions of a function's body.
void find_sensitive(const Code& code, const Function& function, std::vector<Region>& regions);

}  // namespace cuset::cuda_source
