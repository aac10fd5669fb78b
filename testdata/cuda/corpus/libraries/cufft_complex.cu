// cuFFT: complex transforms of lengths with every kind of factor, batches, strides, two and three dimensions, in place.
// needs: cuFFT
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#define CHECK(call) \
  if (cufftResult status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), false

typedef std::complex<double> Number;
const double kPi = 3.14159265358979323846;

Number input(int i) { return Number((i * 37 % 101) / 50.0 - 1, (i * 53 % 89) / 44.0 - 1); }

// One axis by the definition: lines of n elements that are `step` apart.
void transform(std::vector<Number>& x, int n, int step, int sign) {
  std::vector<Number> roots(n), line(n);
  for (int i = 0; i < n; ++i) roots[i] = std::polar(1.0, sign * 2 * kPi * i / n);
  for (int first = 0; first < static_cast<int>(x.size()); ++first) {
    if (first / step % n != 0) continue;
    for (int k = 0; k < n; ++k) {
      Number sum = 0;
      for (int j = 0; j < n; ++j) sum += x[first + j * step] * roots[static_cast<long long>(j) * k % n];
      line[k] = sum;
    }
    for (int k = 0; k < n; ++k) x[first + k * step] = line[k];
  }
}

template <class T>
bool is_close(const T* got, const std::vector<Number>& wanted, double tolerance, const char* what) {
  double error = 0, size = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    error += std::norm(Number(got[i].x, got[i].y) - wanted[i]);
    size += std::norm(wanted[i]);
  }
  if (std::sqrt(error / size) < tolerance) return true;
  return std::printf("FAIL %s: relative error %g\n", what, std::sqrt(error / size)), false;
}

template <class T>
T* allocated(int count) {
  T* memory;
  cudaMallocManaged(&memory, count * sizeof(T));
  for (int i = 0; i < count; ++i) memory[i] = T{-7, -7};
  return memory;
}

bool one_dimension(int n, int batch) {
  char name[64];
  std::snprintf(name, sizeof name, "length %d, batch %d", n, batch);
  cufftComplex *x = allocated<cufftComplex>(n * batch), *y = allocated<cufftComplex>(n * batch);
  cufftDoubleComplex* z = allocated<cufftDoubleComplex>(n * batch);
  std::vector<Number> wanted(n * batch), start(n * batch);
  for (int i = 0; i < n * batch; ++i) {
    x[i] = cufftComplex{static_cast<float>(input(i).real()), static_cast<float>(input(i).imag())};
    start[i] = Number(x[i].x, x[i].y), wanted[i] = start[i] * static_cast<double>(n);
    z[i] = cufftDoubleComplex{x[i].x, x[i].y};
  }
  cufftHandle plan, in_double;
  CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
  CHECK(cufftPlan1d(&in_double, n, CUFFT_Z2Z, batch));
  CHECK(cufftExecC2C(plan, x, y, CUFFT_FORWARD));
  CHECK(cufftExecZ2Z(in_double, z, z, CUFFT_INVERSE));
  cudaDeviceSynchronize();
  std::vector<Number> forward = start, inverse = start;
  transform(forward, n, 1, -1);
  transform(inverse, n, 1, 1);
  if (!is_close(y, forward, 1e-6, name) || !is_close(z, inverse, 1e-12, name)) return false;
  CHECK(cufftExecC2C(plan, y, y, CUFFT_INVERSE));
  cudaDeviceSynchronize();
  CHECK(cufftDestroy(plan));
  CHECK(cufftDestroy(in_double));
  return is_close(y, wanted, 1e-6, name);
}

bool three_dimensions() {
  const int a = 6, b = 11, c = 8, all = a * b * c;
  cufftComplex* x = allocated<cufftComplex>(all);
  std::vector<Number> wanted(all);
  for (int i = 0; i < all; ++i) {
    x[i] = cufftComplex{static_cast<float>(input(i).real()), static_cast<float>(input(i).imag())};
    wanted[i] = Number(x[i].x, x[i].y);
  }
  cufftHandle plan;
  CHECK(cufftPlan3d(&plan, a, b, c, CUFFT_C2C));
  CHECK(cufftExecC2C(plan, x, x, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  CHECK(cufftDestroy(plan));
  transform(wanted, c, 1, -1);
  transform(wanted, b, c, -1);
  transform(wanted, a, b * c, -1);
  return is_close(x, wanted, 1e-6, "three dimensions");
}

// Transforms of 9 x 10 whose elements take turns, out of lines of 13, on a stream, with a work area of our own.
bool strided() {
  const int rows = 9, columns = 10, wide = 13, batch = 3;
  cufftComplex* x = allocated<cufftComplex>(rows * wide * batch);
  cufftComplex* y = allocated<cufftComplex>(rows * columns * batch);
  std::vector<Number> wanted(rows * columns * batch);
  for (int i = 0; i < rows * wide * batch; ++i) {
    x[i] = cufftComplex{static_cast<float>(input(i).real()), static_cast<float>(input(i).imag())};
    const int b = i % batch, column = i / batch % wide, row = i / batch / wide;
    if (column < columns) wanted[(b * rows + row) * columns + column] = Number(x[i].x, x[i].y);
  }
  int n[2] = {rows, columns}, from[2] = {rows, wide}, to[2] = {rows, columns};
  cufftHandle plan;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  size_t bytes = 0;
  void* work = nullptr;
  CHECK(cufftCreate(&plan));
  CHECK(cufftSetAutoAllocation(plan, 0));
  CHECK(cufftMakePlanMany(plan, 2, n, from, batch, 1, to, 1, rows * columns, CUFFT_C2C, batch, &bytes));
  cudaMalloc(&work, bytes + 1);
  CHECK(cufftSetWorkArea(plan, work));
  CHECK(cufftSetStream(plan, stream));
  CHECK(cufftExecC2C(plan, x, y, CUFFT_INVERSE));
  cudaStreamSynchronize(stream);
  CHECK(cufftDestroy(plan));
  transform(wanted, columns, 1, 1);
  transform(wanted, rows, columns, 1);
  return is_close(y, wanted, 1e-6, "strides");
}

int main() {
  for (int n : {1, 2, 3, 4, 5, 7, 8, 13, 31, 37, 49, 60, 64, 97, 100, 210, 256, 331, 1000, 1024})
    if (!one_dimension(n, n < 100 ? 5 : 1)) return 1;
  if (!three_dimensions() || !strided()) return 1;
  cufftHandle plan;
  if (cufftPlan1d(&plan, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE)
    return std::puts("FAIL length 0 was taken"), 1;
  if (cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) != CUFFT_INVALID_TYPE)
    return std::puts("FAIL a type that does not exist was taken"), 1;
  std::puts("PASS");
}
