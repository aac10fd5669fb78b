// cuSPARSE: products of CSR, CSC and COO with vectors and matrices, both operations, 32 and 64 bits, both bases; sparse vectors.
// needs: cuSPARSE
#include <cusparse.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#define CHECK(call)                   \
  if (cusparseStatus_t status = call) \
  return std::printf("FAIL %s: %s\n", #call, cusparseGetErrorString(status)), 1

constexpr int m = 13, n = 9, width = 5, ld = 17;

// Small whole numbers, so that every order of summation gives the same; two in three are 0.
int element(int i, int j) { return (i * 7 + j * 5) % 3 == 0 ? (i + 2 * j) % 7 - 3 : 0; }

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory;
  cudaMallocManaged(&memory, (values.size() + 1) * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) memory[i] = values[i];
  return memory;
}

// The matrix in a format, with indices of type I counted from `base`.
template <class I, class T>
cusparseSpMatDescr_t matrix(cusparseFormat_t format, int base, cusparseIndexType_t wide, cudaDataType type) {
  const bool by_columns = format == CUSPARSE_FORMAT_CSC;
  std::vector<I> offsets(1, base), lines, places;
  std::vector<T> values;
  for (int line = 0; line < (by_columns ? n : m); ++line) {
    for (int place = 0; place < (by_columns ? m : n); ++place) {
      const int value = by_columns ? element(place, line) : element(line, place);
      if (value == 0) continue;
      lines.push_back(line + base), places.push_back(place + base), values.push_back(static_cast<T>(value));
    }
    offsets.push_back(static_cast<I>(values.size()) + base);
  }
  const auto from = static_cast<cusparseIndexBase_t>(base);
  const int64_t nnz = static_cast<int64_t>(values.size());
  cusparseSpMatDescr_t result = nullptr;
  if (format == CUSPARSE_FORMAT_COO)
    cusparseCreateCoo(&result, m, n, nnz, on_device(lines), on_device(places), on_device(values), wide, from,
                      type);
  else if (by_columns)
    cusparseCreateCsc(&result, m, n, nnz, on_device(offsets), on_device(places), on_device(values), wide,
                      wide, from, type);
  else
    cusparseCreateCsr(&result, m, n, nnz, on_device(offsets), on_device(places), on_device(values), wide,
                      wide, from, type);
  return result;
}

template <class T>
int multiply(cusparseHandle_t handle, cusparseSpMatDescr_t a, cusparseOperation_t op, cudaDataType type) {
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int rows = plain ? m : n, inner = plain ? n : m;
  const auto of_a = [&](int i, int j) { return plain ? element(i, j) : element(j, i); };
  std::vector<T> b(ld * ld), c(ld * ld);
  for (int i = 0; i < ld * ld; ++i) b[i] = static_cast<T>(i % 5 - 2), c[i] = static_cast<T>(i % 3);
  T *x = on_device(b), *y = on_device(c), *z = on_device(c);
  const T two = 2, three = 3;
  size_t bytes = 0;
  void* buffer = nullptr;
  cusparseDnVecDescr_t in, out;
  cusparseDnMatDescr_t dense, result;
  CHECK(cusparseCreateDnVec(&in, inner, x, type));
  CHECK(cusparseCreateDnVec(&out, rows, y, type));
  CHECK(
      cusparseSpMV_bufferSize(handle, op, &two, a, in, &three, out, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseSpMV(handle, op, &two, a, in, &three, out, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  cudaDeviceSynchronize();
  for (int i = 0; i < rows; ++i) {
    int wanted = 3 * static_cast<int>(c[i]);
    for (int j = 0; j < inner; ++j) wanted += 2 * of_a(i, j) * static_cast<int>(b[j]);
    if (y[i] != static_cast<T>(wanted))
      return std::printf("FAIL SpMV [%d] %g, wanted %d\n", i, y[i] + 0.0, wanted), 1;
  }
  // B is stored by rows and transposed, C by columns.
  CHECK(cusparseCreateDnMat(&dense, width, inner, ld, x, type, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&result, rows, width, ld, z, type, CUSPARSE_ORDER_COL));
  CHECK(cusparseSpMM_bufferSize(handle, op, CUSPARSE_OPERATION_TRANSPOSE, &two, a, dense, &three, result,
                                type, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  cudaFree(buffer);
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseSpMM(handle, op, CUSPARSE_OPERATION_TRANSPOSE, &two, a, dense, &three, result, type,
                     CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  cudaDeviceSynchronize();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j) {
      int wanted = 3 * static_cast<int>(c[i + j * ld]);
      for (int p = 0; p < inner; ++p) wanted += 2 * of_a(i, p) * static_cast<int>(b[j * ld + p]);
      if (z[i + j * ld] != static_cast<T>(wanted)) return std::printf("FAIL SpMM [%d, %d]\n", i, j), 1;
    }
  CHECK(cusparseDestroyDnVec(in));
  CHECK(cusparseDestroyDnVec(out));
  CHECK(cusparseDestroyDnMat(dense));
  CHECK(cusparseDestroyDnMat(result));
  CHECK(cusparseDestroySpMat(a));
  return 0;
}

int vectors(cusparseHandle_t handle) {
  const std::vector<int> places = {1, 4, 5, 11};
  float *x = on_device(std::vector<float>{2, -1, 3, 5}), *y = on_device(std::vector<float>(12, 2));
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t dense;
  CHECK(cusparseCreateSpVec(&sparse, 12, 4, on_device(places), x, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&dense, 12, y, CUDA_R_32F));
  const float two = 2, three = 3;
  float dot = 0;
  size_t bytes = 0;
  void* buffer = nullptr;
  CHECK(cusparseAxpby(handle, &two, sparse, &three, dense));
  CHECK(cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &dot, CUDA_R_32F,
                                &bytes));
  cudaMalloc(&buffer, bytes + 1);
  CHECK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &dot, CUDA_R_32F, buffer));
  cudaDeviceSynchronize();
  float wanted = 0;
  for (int i = 0, k = 0; i < 12; ++i) {
    const bool present = k < 4 && places[k] == i;
    const float value = 6 + (present ? 2 * x[k] : 0);
    if (y[i] != value) return std::printf("FAIL Axpby [%d] %g, wanted %g\n", i, y[i], value), 1;
    if (present) wanted += value * x[k++];
  }
  if (dot != wanted) return std::printf("FAIL SpVV %g, wanted %g\n", dot, wanted), 1;
  CHECK(cusparseGather(handle, dense, sparse));
  cudaDeviceSynchronize();
  for (int k = 0; k < 4; ++k)
    if (x[k] != y[places[k]]) return std::printf("FAIL Gather [%d]\n", k), 1;
  return 0;
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  for (cusparseFormat_t format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
    for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
      if (multiply<float>(handle, matrix<int, float>(format, 0, CUSPARSE_INDEX_32I, CUDA_R_32F), op,
                          CUDA_R_32F))
        return 1;
      if (multiply<double>(handle, matrix<int64_t, double>(format, 1, CUSPARSE_INDEX_64I, CUDA_R_64F), op,
                           CUDA_R_64F))
        return 1;
    }
  if (vectors(handle)) return 1;
  CHECK(cusparseDestroy(handle));
  std::puts("PASS");
}
