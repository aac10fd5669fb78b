// How fast this machine multiplies matrices, to tell how long work will take before it begins. Free of LibTorch headers.
#pragma once

namespace cuset::ops {

// Floating-point operations per second of products as large as a model's, on GPU 0 or the CPU's threads in use. Takes
// about a tenth of a second.
double matrix_operations_per_second(bool gpu, bool bfloat16);

}  // namespace cuset::ops
