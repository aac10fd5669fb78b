// Calls of cuFFT, cuSPARSE and cuSOLVER on numbers from the file `input`; results go to the file `output`.
// libraries_against_numpy.py writes the one and compares the other. All numbers are doubles. A case is
//   1 (Fourier, complex) or 2 (real and back): rank, lengths, batch, then the elements, real and imaginary parts in turn
//   3 (sparse): rows, columns, elements, width, then offsets, column indices, values, and a dense matrix [columns][width]
//   4 (dense): n, then a matrix by columns: right-hand side solved by LU, symmetric eigenvalues, singular values
#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

template <class Status>
void check(Status status, const char* call) {
  if (static_cast<int>(status) == 0) return;
  std::fprintf(stderr, "%s: status %d\n", call, static_cast<int>(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

std::ifstream input("input", std::ios::binary);
std::ofstream output("output", std::ios::binary);

std::vector<double> read(size_t count) {
  std::vector<double> numbers(count);
  input.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(count * sizeof(double)));
  return numbers;
}
int read_number() { return static_cast<int>(read(1)[0]); }

template <class T>
T* on_device(const std::vector<double>& numbers) {
  T* memory;
  CHECK(cudaMallocManaged(&memory, (numbers.size() + 1) * sizeof(T)));
  for (size_t i = 0; i < numbers.size(); ++i) memory[i] = static_cast<T>(numbers[i]);
  return memory;
}

template <class T>
void write(const T* numbers, size_t count) {
  CHECK(cudaDeviceSynchronize());
  const std::vector<double> wide(numbers, numbers + count);
  output.write(reinterpret_cast<const char*>(wide.data()),
               static_cast<std::streamsize>(count * sizeof(double)));
}

struct Shape {
  int rank, n[3], batch, size = 1;
};
Shape read_shape() {
  Shape shape;
  shape.rank = read_number();
  for (int i = 0; i < shape.rank; ++i) shape.n[i] = read_number(), shape.size *= shape.n[i];
  shape.batch = read_number();
  return shape;
}
cufftHandle plan_of(Shape& shape, cufftType type) {
  cufftHandle plan;
  CHECK(cufftPlanMany(&plan, shape.rank, shape.n, nullptr, 1, 0, nullptr, 1, 0, type, shape.batch));
  return plan;
}

// Float forward, then double inverse of the same numbers.
void transform_complex() {
  Shape shape = read_shape();
  const size_t count = 2 * static_cast<size_t>(shape.size) * shape.batch;
  const std::vector<double> numbers = read(count);
  float* narrow = on_device<float>(numbers);
  double* wide = on_device<double>(numbers);
  auto* pairs = reinterpret_cast<cufftComplex*>(narrow);
  auto* wide_pairs = reinterpret_cast<cufftDoubleComplex*>(wide);
  CHECK(cufftExecC2C(plan_of(shape, CUFFT_C2C), pairs, pairs, CUFFT_FORWARD));
  CHECK(cufftExecZ2Z(plan_of(shape, CUFFT_Z2Z), wide_pairs, wide_pairs, CUFFT_INVERSE));
  write(narrow, count);
  write(wide, count);
}

// Double to half spectra, and back.
void transform_real() {
  Shape shape = read_shape();
  const int last = shape.n[shape.rank - 1];
  const size_t reals = static_cast<size_t>(shape.size) * shape.batch, pairs = reals / last * (last / 2 + 1);
  double *x = on_device<double>(read(reals)), *back = on_device<double>(std::vector<double>(reals));
  double* spectrum = on_device<double>(std::vector<double>(2 * pairs));
  auto* half = reinterpret_cast<cufftDoubleComplex*>(spectrum);
  CHECK(cufftExecD2Z(plan_of(shape, CUFFT_D2Z), x, half));
  write(spectrum, 2 * pairs);
  CHECK(cufftExecZ2D(plan_of(shape, CUFFT_Z2D), half, back));
  write(back, reals);
}

// A B and A^T A B for a sparse A.
void multiply_sparse() {
  const int rows = read_number(), columns = read_number(), nnz = read_number(), width = read_number();
  int *offsets = on_device<int>(read(rows + 1)), *indices = on_device<int>(read(nnz));
  double *values = on_device<double>(read(nnz)), *b = on_device<double>(read(columns * width));
  double* product = on_device<double>(std::vector<double>(rows * width));
  double* again = on_device<double>(std::vector<double>(columns * width));
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnMatDescr_t from, between, to;
  const double one = 1, zero = 0;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseCreateCsr(&a, rows, columns, nnz, offsets, indices, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  CHECK(cusparseCreateDnMat(&from, columns, width, width, b, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&between, rows, width, width, product, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&to, columns, width, width, again, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a,
                     from, &zero, between, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, between,
                     &zero, to, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  write(product, rows * width);
  write(again, columns * width);
}

double* work_of(int size) { return on_device<double>(std::vector<double>(size)); }

// The solution for right-hand sides of 1, eigenvalues of the lower triangle, singular values.
void factor_dense() {
  const int n = read_number();
  const std::vector<double> matrix = read(n * n);
  double *a = on_device<double>(matrix), *x = on_device<double>(std::vector<double>(n, 1.0));
  double* values = on_device<double>(std::vector<double>(n));
  int *pivots = on_device<int>(std::vector<double>(n)), *info = on_device<int>({0}), size = 0;
  cusolverDnHandle_t handle;
  CHECK(cusolverDnCreate(&handle));
  CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &size));
  CHECK(cusolverDnDgetrf(handle, n, n, a, n, work_of(size), pivots, info));
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, a, n, pivots, x, n, info));
  write(x, n);
  a = on_device<double>(matrix);
  CHECK(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n,
                                    values, &size));
  CHECK(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, values,
                         work_of(size), size, info));
  write(values, n);
  a = on_device<double>(matrix);
  CHECK(cusolverDnDgesvd_bufferSize(handle, n, n, &size));
  CHECK(cusolverDnDgesvd(handle, 'N', 'N', n, n, a, n, values, nullptr, n, nullptr, n, work_of(size), size,
                         nullptr, info));
  write(values, n);
}

// alpha A^H B^T + beta C, A^H x, C + alpha x y^H, <x, y> and the norm of x, of complex numbers in double; the product in float.
void multiply_complex() {
  const int m = read_number(), n = read_number(), k = read_number();
  const auto pairs = [](const double* memory) { return reinterpret_cast<const cuDoubleComplex*>(memory); };
  const std::vector<double> of_a = read(2 * k * m), of_b = read(2 * n * k), of_c = read(2 * m * n);
  const std::vector<double> of_x = read(2 * m), of_y = read(2 * n), of_z = read(2 * k);
  double *a = on_device<double>(of_a), *b = on_device<double>(of_b), *c = on_device<double>(of_c);
  double *x = on_device<double>(of_x), *y = on_device<double>(of_y), *z = on_device<double>(of_z);
  double *product = on_device<double>(std::vector<double>(2 * m)), *sums = on_device<double>({0, 0, 0});
  float *af = on_device<float>(of_a), *bf = on_device<float>(of_b), *cf = on_device<float>(of_c);
  const cuDoubleComplex alpha{1.5, -0.5}, beta{0.25, 2}, one{1, 0}, zero{0, 0};
  const cuComplex alpha_f{1.5f, -0.5f}, beta_f{0.25f, 2};
  const auto out = [](double* memory) { return reinterpret_cast<cuDoubleComplex*>(memory); };
  const auto pairs_f = [](float* memory) { return reinterpret_cast<cuComplex*>(memory); };
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  CHECK(cublasCgemm(handle, CUBLAS_OP_C, CUBLAS_OP_T, m, n, k, &alpha_f, pairs_f(af), k, pairs_f(bf), n,
                    &beta_f, pairs_f(cf), m));
  write(cf, 2 * m * n);
  CHECK(cublasZgemm(handle, CUBLAS_OP_C, CUBLAS_OP_T, m, n, k, &alpha, pairs(a), k, pairs(b), n, &beta,
                    out(c), m));
  write(c, 2 * m * n);
  CHECK(cublasZgemv(handle, CUBLAS_OP_C, k, m, &one, pairs(a), k, pairs(z), 1, &zero, out(product), 1));
  write(product, 2 * m);
  c = on_device<double>(of_c);
  CHECK(cublasZgerc(handle, m, n, &alpha, pairs(x), 1, pairs(y), 1, out(c), m));
  write(c, 2 * m * n);
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasZdotc(handle, m, pairs(x), 1, pairs(product), 1, out(sums)));
  CHECK(cublasDznrm2(handle, m, pairs(x), 1, sums + 2));
  write(sums, 3);
}

int main() {
  while (input.peek() != EOF) {
    const int kind = read_number();
    if (kind == 1) transform_complex();
    if (kind == 2) transform_real();
    if (kind == 3) multiply_sparse();
    if (kind == 4) factor_dense();
    if (kind == 5) multiply_complex();
  }
  std::puts("done");
}
