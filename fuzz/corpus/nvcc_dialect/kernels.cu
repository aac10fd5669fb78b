#include "cuda_runtime.h"
#include <vector>
template <int n> __global__ void __launch_bounds__(64) k(int* x) { __shared__ alignas(16) float a[4]; child<<<1, 1>>>(x); }
namespace n { __global__ void c(int*); }
__global__ void child(int* x) { asm("mov.u64 %0, %globaltimer;" : "=l"(t)); }
void (*f[])(int*) = {&k<4>, n::c, k<(1 > 0)>, k<(n::c)>};
int main() { f[0] << <1, 2>> > (p); run(child, &n::c); return x ? a : k<1>; }
