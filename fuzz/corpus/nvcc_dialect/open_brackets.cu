__global__ void k(
void f(){g(k<(k)>, k<