#define K(name) __global__ void name(float* x, int n)
K(f) { __shared__ float s[8][8]; for (int i = 0; i < n; ++i) { if (i >= 0 && x[i] > -1.5f) s[i][n] += fmaxf(x[i * 3 + n], 0.5f); } __syncthreads(); atomicAdd(&x[0], s[0][1]); }
#ifdef A
__global__ void g() {
#else
__global__ void h() {
#endif
}
int main() { f<<<dim3(2, 3), 32>>>(p, 1); cudaMemset(p, 0, 4); cudaMemcpy(a, b, n * sizeof(float), cudaMemcpyDeviceToHost); }
