// cuFFT: real transforms and back, float and double, one to three dimensions, in place, halves of spectra.
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

float input(int i) { return (i * 37 % 101) / 50.0f - 1; }

// Element (k0, k1, k2) of the spectrum of a real array [a][b][c], by the definition.
Number spectrum(const std::vector<double>& x, const int* n, int k0, int k1, int k2) {
  Number sum = 0;
  for (int i = 0, place = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k, ++place)
        sum += x[place] *
               std::polar(1.0, -2 * kPi * (1.0 * i * k0 / n[0] + 1.0 * j * k1 / n[1] + 1.0 * k * k2 / n[2]));
  return sum;
}

template <class T>
T* allocated(int count) {
  T* memory;
  cudaMallocManaged(&memory, count * sizeof(T));
  return memory;
}

// Into another array and back; then in place, where each line of c reals has room for c/2 + 1 pairs.
template <class Real, class Pair, class Forward, class Backward>
bool round_trip(const int* n, int rank, cufftType there, cufftType back, Forward forward, Backward backward) {
  const int half = n[2] / 2 + 1, lines = n[0] * n[1], all = lines * n[2];
  const double tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-11;
  Real *x = allocated<Real>(all), *again = allocated<Real>(all);
  Pair *y = allocated<Pair>(lines * half), *place = allocated<Pair>(lines * half);
  Real* inside = reinterpret_cast<Real*>(place);
  std::vector<double> start(all);
  for (int i = 0; i < all; ++i) {
    start[i] = x[i] = input(i), again[i] = -7;
    inside[i / n[2] * 2 * half + i % n[2]] = x[i];
  }
  int lengths[3] = {n[0], n[1], n[2]};
  cufftHandle plan, inverse;
  CHECK(cufftPlanMany(&plan, rank, lengths + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, there, 1));
  CHECK(cufftPlanMany(&inverse, rank, lengths + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, back, 1));
  CHECK(forward(plan, x, y));
  CHECK(forward(plan, inside, place));
  cudaDeviceSynchronize();
  for (int i = 0; i < lines * half; ++i) {
    const Number wanted = spectrum(start, n, i / half / n[1], i / half % n[1], i % half);
    if (std::abs(Number(y[i].x, y[i].y) - wanted) > tolerance * all ||
        std::abs(Number(place[i].x, place[i].y) - wanted) > tolerance * all)
      return std::printf("FAIL [%d] of %d x %d x %d: %g %g, wanted %g %g\n", i, n[0], n[1], n[2], y[i].x,
                         y[i].y, wanted.real(), wanted.imag()),
             false;
  }
  CHECK(backward(inverse, y, again));
  CHECK(backward(inverse, place, inside));
  cudaDeviceSynchronize();
  for (int i = 0; i < all; ++i) {
    const double a = again[i] / all, b = inside[i / n[2] * 2 * half + i % n[2]] / all;
    if (std::fabs(a - start[i]) > tolerance || std::fabs(b - start[i]) > tolerance)
      return std::printf("FAIL back [%d]: %g and %g, wanted %g\n", i, a, b, start[i]), false;
  }
  CHECK(cufftDestroy(plan));
  CHECK(cufftDestroy(inverse));
  return true;
}

bool batch() {
  const int n = 12, half = 7, count = 4;
  float *x = allocated<float>(n * count), *back = allocated<float>(n * count);
  cufftComplex* y = allocated<cufftComplex>(half * count);
  for (int i = 0; i < n * count; ++i) x[i] = input(i);
  cufftHandle plan, inverse;
  CHECK(cufftPlan1d(&plan, n, CUFFT_R2C, count));
  CHECK(cufftPlan1d(&inverse, n, CUFFT_C2R, count));
  CHECK(cufftExecR2C(plan, x, y));
  CHECK(cufftExecC2R(inverse, y, back));
  cudaDeviceSynchronize();
  const int shape[3] = {1, 1, n};
  for (int b = 0; b < count; ++b) {
    const std::vector<double> line(x + b * n, x + b * n + n);
    for (int k = 0; k < half; ++k)
      if (std::abs(Number(y[b * half + k].x, y[b * half + k].y) - spectrum(line, shape, 0, 0, k)) > 1e-5)
        return std::printf("FAIL [%d] of transform %d\n", k, b), false;
  }
  for (int i = 0; i < n * count; ++i)
    if (std::fabs(back[i] / n - x[i]) > 1e-5) return std::printf("FAIL batch back [%d]\n", i), false;
  if (cufftExecC2C(plan, y, y, CUFFT_FORWARD) == CUFFT_SUCCESS)
    return std::puts("FAIL a plan of real numbers took complex ones"), false;
  return true;
}

int main() {
  const int shapes[][3] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 45}, {1, 1, 64}, {1, 1, 67},
                           {1, 6, 9}, {1, 7, 8}, {3, 4, 5},  {4, 5, 6}};
  for (const auto& n : shapes) {
    const int rank = n[0] > 1 ? 3 : n[1] > 1 ? 2 : 1;
    if (!round_trip<float, cufftComplex>(
            n, rank, CUFFT_R2C, CUFFT_C2R,
            [](cufftHandle plan, float* x, cufftComplex* y) { return cufftExecR2C(plan, x, y); },
            [](cufftHandle plan, cufftComplex* y, float* x) { return cufftExecC2R(plan, y, x); }))
      return 1;
    if (!round_trip<double, cufftDoubleComplex>(
            n, rank, CUFFT_D2Z, CUFFT_Z2D,
            [](cufftHandle plan, double* x, cufftDoubleComplex* y) { return cufftExecD2Z(plan, x, y); },
            [](cufftHandle plan, cufftDoubleComplex* y, double* x) { return cufftExecZ2D(plan, y, x); }))
      return 1;
  }
  if (!batch()) return 1;
  std::puts("PASS");
}
