// Whether operations give the same bits in every run. On the CPU they always do, with the same number of
// threads. On a GPU the quickest attention adds up its gradients in an order that varies; the one that does
// not makes a training step about a seventh slower. Free of LibTorch headers, so that any module may include
// it.
#pragma once

namespace cuset::ops {

// For all operations of this process from now on.
void set_deterministic_operations(bool deterministic);
bool deterministic_operations();

}  // namespace cuset::ops
