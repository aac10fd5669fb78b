// cuSOLVER: LU, Cholesky, QR, eigenvalues and singular values of dense matrices, held to what defines them.
// needs: cuSOLVER
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call) \
  if (cusolverStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

constexpr int n = 20, m = 31, sides = 3;

template <class T>
T* managed(int count) {
  T* memory;
  cudaMallocManaged(&memory, (count + 1) * sizeof(T));
  unsigned int state = 1;
  for (int i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    memory[i] = static_cast<T>((state >> 8) / 8388608.0 - 1);
  }
  return memory;
}
template <class T>
T* work_of(int size) {
  T* memory;
  cudaMalloc(&memory, (size + 1) * sizeof(T));
  return memory;
}

// The sum over k of a[k * a_step] * b[k * b_step].
template <class A, class B>
double dot(int count, const A* a, int a_step, const B* b, int b_step) {
  double sum = 0;
  for (int k = 0; k < count; ++k)
    sum += static_cast<double>(a[k * a_step]) * static_cast<double>(b[k * b_step]);
  return sum;
}

bool differs(double got, double wanted, double tolerance, const char* what) {
  if (std::fabs(got - wanted) < tolerance) return false;
  return std::printf("FAIL %s: %g, wanted %g\n", what, got, wanted), true;
}

int lu(cusolverDnHandle_t handle) {
  double *a = managed<double>(n * n), *b = managed<double>(n * sides), *x = managed<double>(n * sides);
  int *pivots = managed<int>(n), *info = managed<int>(1), size = 0;
  const std::vector<double> given(a, a + n * n);
  CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &size));
  CHECK(cusolverDnDgetrf(handle, n, n, a, n, work_of<double>(size), pivots, info));
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    cudaDeviceSynchronize();
    if (*info != 0) return std::printf("FAIL getrf: info %d\n", *info), 1;
    for (int i = 0; i < n * sides; ++i) x[i] = b[i];
    CHECK(cusolverDnDgetrs(handle, op, n, sides, a, n, pivots, x, n, info));
    cudaDeviceSynchronize();
    for (int i = 0; i < n * sides; ++i) {
      const int row = i % n;
      const double got = op == CUBLAS_OP_N ? dot(n, given.data() + row, n, x + i / n * n, 1)
                                           : dot(n, given.data() + row * n, 1, x + i / n * n, 1);
      if (differs(got, b[i], 1e-10, "LU")) return 1;
    }
  }
  for (int i = 0; i < n; ++i) a[i] = 0, a[i * n] = 0;
  CHECK(cusolverDnDgetrf(handle, n, n, a, n, work_of<double>(size), pivots, info));
  cudaDeviceSynchronize();
  return *info == 0 ? std::puts("FAIL a singular matrix has no zero pivot"), 1 : 0;
}

// A = B B^T + I.
int cholesky(cusolverDnHandle_t handle, cublasFillMode_t fill) {
  double *b = managed<double>(n * n), *a = managed<double>(n * n), *x = managed<double>(n);
  int *info = managed<int>(1), size = 0;
  for (int i = 0; i < n * n; ++i) a[i] = dot(n, b + i % n, n, b + i / n, n) + (i % n == i / n);
  const std::vector<double> given(a, a + n * n), right(x, x + n);
  CHECK(cusolverDnDpotrf_bufferSize(handle, fill, n, a, n, &size));
  CHECK(cusolverDnDpotrf(handle, fill, n, a, n, work_of<double>(size), size, info));
  CHECK(cusolverDnDpotrs(handle, fill, n, 1, a, n, x, n, info));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    if (differs(dot(n, given.data() + i, n, x, 1), right[i], 1e-9, "Cholesky")) return 1;
  return 0;
}

int qr(cusolverDnHandle_t handle) {
  float *a = managed<float>(m * n), *tau = managed<float>(n), *c = managed<float>(m * m);
  int *info = managed<int>(1), size = 0, more = 0;
  const std::vector<float> given(a, a + m * n);
  CHECK(cusolverDnSgeqrf_bufferSize(handle, m, n, a, m, &size));
  CHECK(cusolverDnSgeqrf(handle, m, n, a, m, tau, work_of<float>(size), size, info));
  cudaDeviceSynchronize();
  const std::vector<float> factored(a, a + m * n);
  for (int i = 0; i < m * m; ++i) c[i] = i < m * n && i % m <= i / m ? a[i] : 0;
  // Q R is A again.
  CHECK(cusolverDnSormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, n, a, m, tau, c, m, &more));
  CHECK(cusolverDnSormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, n, a, m, tau, c, m,
                         work_of<float>(more), more, info));
  cudaDeviceSynchronize();
  for (int i = 0; i < m * n; ++i)
    if (differs(c[i], given[i], 1e-5, "Q R")) return 1;
  // Q^T A is R again.
  CHECK(cusolverDnSormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, a, m, tau, c, m,
                         work_of<float>(more), more, info));
  cudaDeviceSynchronize();
  for (int i = 0; i < m * n; ++i)
    if (differs(c[i], i % m <= i / m ? factored[i] : 0, 1e-5, "Q^T A")) return 1;
  // I Q on the right has the columns that orgqr forms.
  for (int i = 0; i < m * m; ++i) c[i] = i % m == i / m;
  CHECK(cusolverDnSormqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, m, m, n, a, m, tau, c, m,
                         work_of<float>(more + m), more + m, info));
  CHECK(cusolverDnSorgqr_bufferSize(handle, m, n, n, a, m, tau, &size));
  CHECK(cusolverDnSorgqr(handle, m, n, n, a, m, tau, work_of<float>(size), size, info));
  cudaDeviceSynchronize();
  for (int i = 0; i < m * n; ++i)
    if (differs(a[i], c[i], 1e-5, "Q")) return 1;
  return 0;
}

int eigenvalues(cusolverDnHandle_t handle, cublasFillMode_t fill) {
  double *a = managed<double>(n * n), *values = managed<double>(n);
  int *info = managed<int>(1), size = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) a[j + i * n] = a[i + j * n];
  const std::vector<double> given(a, a + n * n);
  // The other triangle is not read.
  for (int i = 0; i < n * n; ++i)
    if (fill == CUBLAS_FILL_MODE_UPPER ? i % n > i / n : i % n < i / n) a[i] = 99;
  CHECK(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a, n, values, &size));
  CHECK(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a, n, values, work_of<double>(size), size,
                         info));
  cudaDeviceSynchronize();
  if (*info != 0) return std::printf("FAIL syevd: info %d\n", *info), 1;
  for (int j = 0; j < n; ++j) {
    if (j > 0 && values[j] < values[j - 1]) return std::puts("FAIL eigenvalues are not sorted"), 1;
    for (int i = 0; i < n; ++i) {
      if (differs(dot(n, given.data() + i, n, a + j * n, 1), values[j] * a[i + j * n], 1e-11, "A v"))
        return 1;
      if (differs(dot(n, a + i * n, 1, a + j * n, 1), i == j, 1e-11, "v^T v")) return 1;
    }
  }
  return 0;
}

// The last two columns are the same, so that the rank is n - 1.
int singular_values(cusolverDnHandle_t handle) {
  float *a = managed<float>(m * n), *s = managed<float>(n), *u = managed<float>(m * m),
        *vt = managed<float>(n * n);
  for (int i = 0; i < m; ++i) a[i + (n - 1) * m] = a[i + (n - 2) * m];
  int *info = managed<int>(1), size = 0;
  const std::vector<float> given(a, a + m * n);
  CHECK(cusolverDnSgesvd_bufferSize(handle, m, n, &size));
  CHECK(cusolverDnSgesvd(handle, 'A', 'A', m, n, a, m, s, u, m, vt, n, work_of<float>(size), size,
                         work_of<float>(n), info));
  cudaDeviceSynchronize();
  if (*info != 0) return std::printf("FAIL gesvd: info %d\n", *info), 1;
  for (int j = 1; j < n; ++j)
    if (s[j] > s[j - 1]) return std::puts("FAIL singular values are not sorted"), 1;
  if (differs(s[n - 1], 0, 1e-5, "the last singular value")) return 1;
  std::vector<double> scaled(m * n);
  for (int i = 0; i < m * n; ++i) scaled[i] = static_cast<double>(u[i]) * static_cast<double>(s[i / m]);
  for (int i = 0; i < m * n; ++i)
    if (differs(dot(n, scaled.data() + i % m, m, vt + i / m * n, 1), given[i], 1e-5, "U S V^T")) return 1;
  for (int i = 0; i < m * m; ++i)
    if (differs(dot(m, u + i % m * m, 1, u + i / m * m, 1), i % m == i / m, 1e-5, "U^T U")) return 1;
  for (int i = 0; i < n * n; ++i)
    if (differs(dot(n, vt + i % n, n, vt + i / n, n), i % n == i / n, 1e-5, "V^T V")) return 1;
  return 0;
}

int main() {
  cusolverDnHandle_t handle;
  CHECK(cusolverDnCreate(&handle));
  if (lu(handle) || qr(handle) || singular_values(handle)) return 1;
  for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    if (cholesky(handle, fill) || eigenvalues(handle, fill)) return 1;
  CHECK(cusolverDnDestroy(handle));
  std::puts("PASS");
}
