// Aimed at: cusparseSpMV and cusparseSpMM with beta = 0, whose result is memory that nobody wrote before.
// needs: cuSPARSE
#include <cusparse.h>

#include <cstdio>

constexpr int kRows = 5, kColumns = 2;

int main() {
  // Row i holds i + 1 at column i and 1 at column 0.
  const int rows[kRows + 1] = {0, 1, 3, 5, 7, 9}, columns[9] = {0, 0, 1, 0, 2, 0, 3, 0, 4};
  const float values[9] = {1, 1, 2, 1, 3, 1, 4, 1, 5};
  float dense[kRows * kColumns], result[kRows * kColumns + kRows];
  for (int i = 0; i < kRows * kColumns; ++i) dense[i] = static_cast<float>(i + 2);
  int *d_rows, *d_columns;
  float *d_values, *d_dense, *d_result;
  cudaMalloc(&d_rows, sizeof rows);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&d_dense, sizeof dense);
  cudaMalloc(&d_result, sizeof result);
  cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(d_dense, dense, sizeof dense, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y;
  cusparseDnMatDescr_t b, c;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, kRows, kRows, 9, d_rows, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, kRows, d_dense, CUDA_R_32F);
  cusparseCreateDnVec(&y, kRows, d_result + kRows * kColumns, CUDA_R_32F);
  cusparseCreateDnMat(&b, kRows, kColumns, kRows, d_dense, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&c, kRows, kColumns, kRows, d_result, CUDA_R_32F, CUSPARSE_ORDER_COL);
  const float one = 1, zero = 0;
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t of_vector = 0, of_matrix = 0;
  cusparseSpMV_bufferSize(handle, plain, &one, a, x, &zero, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                          &of_vector);
  cusparseSpMM_bufferSize(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                          &of_matrix);
  void* buffer;
  cudaMalloc(&buffer, of_vector + of_matrix + 1);
  cusparseSpMV(handle, plain, &one, a, x, &zero, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  cusparseSpMM(handle, plain, plain, &one, a, b, &zero, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer);
  cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost);
  for (int j = 0; j <= kColumns; ++j) {
    const float* column = dense + (j == kColumns ? 0 : j * kRows);
    for (int i = 0; i < kRows; ++i) {
      const float want = (i == 0 ? 0 : column[0]) + static_cast<float>(i + 1) * column[i];
      if (result[j * kRows + i] == want) continue;
      printf("FAIL in column %d, row %d: %g instead of %g\n", j, i, result[j * kRows + i], want);
      return 1;
    }
  }
  printf("PASS\n");
}
