// cuSPARSE: conversions, sorting, products of two sparse matrices, sampled products, triangular systems.
// needs: cuSPARSE
#include <cusparse.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#define CHECK(call)                   \
  if (cusparseStatus_t status = call) \
  return std::printf("FAIL %s: %s\n", #call, cusparseGetErrorString(status)), 1

constexpr int n = 12;
constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;

int element(int i, int j) { return i == j ? 4 + i % 3 : (i * 7 + j * 5) % 3 == 0 ? (i + 2 * j) % 5 - 2 : 0; }

template <class T>
T* managed(int count) {
  T* memory;
  cudaMallocManaged(&memory, (count + 1) * sizeof(T));
  for (int i = 0; i < count; ++i) memory[i] = 0;
  return memory;
}

struct Csr {
  int *offsets = managed<int>(n + 1), *columns = managed<int>(n * n);
  float* values = managed<float>(n * n);
  cusparseSpMatDescr_t descriptor = nullptr;
};

float at(const Csr& a, int i, int j) {
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    if (a.columns[k] == j) return a.values[k];
  return 0;
}

// The matrix from a dense one.
int sparse_of(cusparseHandle_t handle, Csr& a) {
  float* dense = managed<float>(n * n);
  int count = 0;
  for (int i = 0; i < n * n; ++i)
    dense[i] = static_cast<float>(element(i / n, i % n)), count += dense[i] != 0;
  cusparseDnMatDescr_t from;
  size_t bytes = 0;
  void* buffer = nullptr;
  int64_t rows, columns, nnz;
  CHECK(cusparseCreateDnMat(&from, n, n, n, dense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateCsr(&a.descriptor, n, n, 0, a.offsets, nullptr, nullptr, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseDenseToSparse_bufferSize(handle, from, a.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(
      cusparseDenseToSparse_analysis(handle, from, a.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  CHECK(cusparseSpMatGetSize(a.descriptor, &rows, &columns, &nnz));
  if (nnz != count) return std::printf("FAIL %d elements, wanted %d\n", static_cast<int>(nnz), count), 1;
  CHECK(cusparseCsrSetPointers(a.descriptor, a.offsets, a.columns, a.values));
  CHECK(
      cusparseDenseToSparse_convert(handle, from, a.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  float* back = managed<float>(n * n);
  for (int i = 0; i < n * n; ++i) back[i] = -7;
  cusparseDnMatDescr_t to;
  CHECK(cusparseCreateDnMat(&to, n, n, n, back, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK(cusparseSparseToDense(handle, a.descriptor, to, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (at(a, i, j) != static_cast<float>(element(i, j)) ||
          back[i + j * n] != static_cast<float>(element(i, j)))
        return std::printf("FAIL element %d, %d: %g and %g\n", i, j, at(a, i, j), back[i + j * n]), 1;
  return 0;
}

int transposed(cusparseHandle_t handle, const Csr& a, int nnz) {
  Csr t;
  size_t bytes = 0;
  void* buffer = nullptr;
  CHECK(cusparseCsr2cscEx2_bufferSize(handle, n, n, nnz, a.values, a.offsets, a.columns, t.values, t.offsets,
                                      t.columns, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                                      CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseCsr2cscEx2(handle, n, n, nnz, a.values, a.offsets, a.columns, t.values, t.offsets, t.columns,
                           CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                           CUSPARSE_CSR2CSC_ALG1, buffer));
  int* rows = managed<int>(nnz);
  CHECK(cusparseXcsr2coo(handle, a.offsets, nnz, n, rows, CUSPARSE_INDEX_BASE_ZERO));
  int* offsets = managed<int>(n + 1);
  CHECK(cusparseXcoo2csr(handle, rows, nnz, n, offsets, CUSPARSE_INDEX_BASE_ZERO));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    if (offsets[i + 1] != a.offsets[i + 1]) return std::printf("FAIL offset %d\n", i), 1;
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      if (rows[k] != i) return std::printf("FAIL row of element %d\n", k), 1;
    for (int j = 0; j < n; ++j)
      if (at(t, i, j) != at(a, j, i)) return std::printf("FAIL transposed %d, %d\n", i, j), 1;
  }
  return 0;
}

int sorted(cusparseHandle_t handle, const Csr& a, int nnz) {
  int *columns = managed<int>(nnz), *places = managed<int>(nnz), *start = managed<int>(nnz);
  for (int i = 0; i < n; ++i)
    for (int k = a.offsets[i], last = a.offsets[i + 1] - 1; k <= last; ++k)
      start[k] = columns[k] = a.columns[last - (k - a.offsets[i])];
  cusparseMatDescr_t general;
  size_t bytes = 0;
  void* buffer = nullptr;
  CHECK(cusparseCreateMatDescr(&general));
  CHECK(cusparseCreateIdentityPermutation(handle, nnz, places));
  CHECK(cusparseXcsrsort_bufferSizeExt(handle, n, n, nnz, a.offsets, columns, &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseXcsrsort(handle, n, n, nnz, general, a.offsets, columns, places, buffer));
  cudaDeviceSynchronize();
  for (int k = 0; k < nnz; ++k)
    if (columns[k] != a.columns[k] || start[places[k]] != columns[k])
      return std::printf("FAIL sorted [%d]\n", k), 1;
  CHECK(cusparseDestroyMatDescr(general));
  return 0;
}

// C = 2 A A.
int squared(cusparseHandle_t handle, const Csr& a) {
  Csr c;
  cusparseSpGEMMDescr_t product;
  const float two = 2, zero = 0;
  size_t first = 0, second = 0;
  void *work = nullptr, *more = nullptr;
  int64_t rows, columns, nnz;
  CHECK(cusparseCreateCsr(&c.descriptor, n, n, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseSpGEMM_createDescr(&product));
  CHECK(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &two, a.descriptor, a.descriptor, &zero,
                                      c.descriptor, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &first,
                                      nullptr));
  cudaMalloc(&work, first + 1);
  CHECK(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &two, a.descriptor, a.descriptor, &zero,
                                      c.descriptor, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &first,
                                      work));
  CHECK(cusparseSpGEMM_compute(handle, kPlain, kPlain, &two, a.descriptor, a.descriptor, &zero, c.descriptor,
                               CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &second, nullptr));
  cudaMalloc(&more, second + 1);
  CHECK(cusparseSpGEMM_compute(handle, kPlain, kPlain, &two, a.descriptor, a.descriptor, &zero, c.descriptor,
                               CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product, &second, more));
  CHECK(cusparseSpMatGetSize(c.descriptor, &rows, &columns, &nnz));
  if (nnz > n * n) return std::puts("FAIL more elements than places"), 1;
  CHECK(cusparseCsrSetPointers(c.descriptor, c.offsets, c.columns, c.values));
  CHECK(cusparseSpGEMM_copy(handle, kPlain, kPlain, &two, a.descriptor, a.descriptor, &zero, c.descriptor,
                            CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, product));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int wanted = 0;
      for (int k = 0; k < n; ++k) wanted += 2 * element(i, k) * element(k, j);
      if (at(c, i, j) != static_cast<float>(wanted)) return std::printf("FAIL squared %d, %d\n", i, j), 1;
    }
  CHECK(cusparseSpGEMM_destroyDescr(product));
  return 0;
}

// op(T) y = 2 x for both triangles; then with several right-hand sides.
int solved(cusparseHandle_t handle, Csr& a, cusparseFillMode_t fill, cusparseOperation_t op) {
  float *x = managed<float>(3 * n), *y = managed<float>(3 * n);
  for (int i = 0; i < 3 * n; ++i) x[i] = static_cast<float>(i % 7 - 3);
  const float two = 2;
  cusparseDiagType_t given = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseDnVecDescr_t in, out;
  cusparseDnMatDescr_t right, result;
  cusparseSpSVDescr_t vector;
  cusparseSpSMDescr_t matrix;
  size_t bytes = 0;
  void *buffer = nullptr, *more = nullptr;
  CHECK(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  CHECK(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &given, sizeof(given)));
  CHECK(cusparseCreateDnVec(&in, n, x, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&out, n, y, CUDA_R_32F));
  CHECK(cusparseSpSV_createDescr(&vector));
  CHECK(cusparseSpSV_bufferSize(handle, op, &two, a.descriptor, in, out, CUDA_R_32F,
                                CUSPARSE_SPSV_ALG_DEFAULT, vector, &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseSpSV_analysis(handle, op, &two, a.descriptor, in, out, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                              vector, buffer));
  CHECK(cusparseSpSV_solve(handle, op, &two, a.descriptor, in, out, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                           vector));
  // The second and third columns.
  CHECK(cusparseCreateDnMat(&right, n, 2, n, x + n, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK(cusparseCreateDnMat(&result, n, 2, n, y + n, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK(cusparseSpSM_createDescr(&matrix));
  CHECK(cusparseSpSM_bufferSize(handle, op, kPlain, &two, a.descriptor, right, result, CUDA_R_32F,
                                CUSPARSE_SPSM_ALG_DEFAULT, matrix, &bytes));
  cudaMalloc(&more, bytes + 1);
  CHECK(cusparseSpSM_analysis(handle, op, kPlain, &two, a.descriptor, right, result, CUDA_R_32F,
                              CUSPARSE_SPSM_ALG_DEFAULT, matrix, more));
  CHECK(cusparseSpSM_solve(handle, op, kPlain, &two, a.descriptor, right, result, CUDA_R_32F,
                           CUSPARSE_SPSM_ALG_DEFAULT, matrix));
  cudaDeviceSynchronize();
  for (int column = 0; column < 3; ++column)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        const int row = op == kPlain ? i : j, place = op == kPlain ? j : i;
        const bool inside = fill == CUSPARSE_FILL_MODE_LOWER ? place <= row : place >= row;
        if (inside) sum += element(row, place) * static_cast<double>(y[column * n + j]);
      }
      if (!(std::fabs(sum - 2 * x[column * n + i]) < 1e-4))
        return std::printf("FAIL row %d of system %d: %g, wanted %g\n", i, column, sum,
                           2 * x[column * n + i]),
               1;
    }
  return 0;
}

// The product of two dense matrices where A has elements.
int sampled(cusparseHandle_t handle, Csr& a) {
  float *left = managed<float>(n * n), *right = managed<float>(n * n);
  for (int i = 0; i < n * n; ++i)
    left[i] = static_cast<float>(i % 5 - 2), right[i] = static_cast<float>(i % 7 - 3);
  cusparseDnMatDescr_t first, second;
  const float two = 2, one = 1;
  size_t bytes = 0;
  void* buffer = nullptr;
  CHECK(cusparseCreateDnMat(&first, n, n, n, left, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&second, n, n, n, right, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseSDDMM_bufferSize(handle, kPlain, kPlain, &two, first, second, &one, a.descriptor, CUDA_R_32F,
                                 CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseSDDMM(handle, kPlain, kPlain, &two, first, second, &one, a.descriptor, CUDA_R_32F,
                      CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float wanted = static_cast<float>(element(i, j));
      for (int k = 0; k < n && element(i, j) != 0; ++k) wanted += 2 * left[i * n + k] * right[k * n + j];
      if (at(a, i, j) != wanted) return std::printf("FAIL sampled %d, %d\n", i, j), 1;
    }
  return 0;
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  Csr a;
  if (sparse_of(handle, a) || transposed(handle, a, a.offsets[n]) || sorted(handle, a, a.offsets[n]) ||
      squared(handle, a))
    return 1;
  for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (cusparseOperation_t op : {kPlain, CUSPARSE_OPERATION_TRANSPOSE})
      if (solved(handle, a, fill, op)) return 1;
  if (sampled(handle, a)) return 1;
  CHECK(cusparseDestroy(handle));
  std::puts("PASS");
}
