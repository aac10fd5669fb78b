// cuRAND's host API: moments and ranges of every distribution, the same numbers for the same seed, on device and host.
// needs: cuRAND
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call) \
  if (curandStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

constexpr int n = 50000;

// Mean and variance within five standard errors; the fourth moment bounds the variance's error.
template <class T>
bool has_moments(const T* numbers, double mean, double variance, double kurtosis, const char* what) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) sum += numbers[i];
  for (int i = 0; i < n; ++i) squares += (numbers[i] - mean) * (numbers[i] - mean);
  const double mean_error = std::fabs(sum / n - mean), variance_error = std::fabs(squares / n - variance);
  if (mean_error < 5 * std::sqrt(variance / n) &&
      variance_error < 5 * variance * std::sqrt((kurtosis - 1) / n))
    return true;
  return std::printf("FAIL %s: mean %g, variance %g\n", what, sum / n, squares / n), false;
}

int test(curandRngType_t type) {
  float *x, *y;
  double* d;
  unsigned int* words;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&d, n * sizeof(double));
  cudaMallocManaged(&words, n * sizeof(unsigned int));
  curandGenerator_t generator, again;
  CHECK(curandCreateGenerator(&generator, type));
  CHECK(curandCreateGenerator(&again, type));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  CHECK(curandSetPseudoRandomGeneratorSeed(again, 1234));
  CHECK(curandGenerateUniform(generator, x, n));
  CHECK(curandGenerateUniform(again, y, n));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    if (!(x[i] > 0 && x[i] <= 1) || x[i] != y[i])
      return std::printf("FAIL uniform [%d] %g %g\n", i, x[i], y[i]), 1;
  if (!has_moments(x, 0.5, 1 / 12.0, 1.8, "uniform")) return 1;
  CHECK(curandGenerateUniform(again, y, n));
  CHECK(curandGenerateUniformDouble(generator, d, n));
  cudaDeviceSynchronize();
  int same = 0;
  for (int i = 0; i < n; ++i) same += x[i] == y[i];
  if (same > n / 100) return std::printf("FAIL %d numbers came again\n", same), 1;
  if (!has_moments(d, 0.5, 1 / 12.0, 1.8, "uniform double")) return 1;
  CHECK(curandGenerateNormal(generator, x, n, 3.0f, 2.0f));
  CHECK(curandGenerateNormalDouble(generator, d, n, -1.0, 0.5));
  cudaDeviceSynchronize();
  if (!has_moments(x, 3, 4, 3, "normal") || !has_moments(d, -1, 0.25, 3, "normal double")) return 1;
  CHECK(curandGenerateLogNormal(generator, x, n, 0.5f, 0.25f));
  CHECK(curandGenerate(generator, words, n));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) y[i] = std::log(x[i]), d[i] = words[i] / 4294967296.0;
  if (!has_moments(y, 0.5, 0.0625, 3, "log-normal") || !has_moments(d, 0.5, 1 / 12.0, 1.8, "words")) return 1;
  for (const double mean : {4.5, 300.0}) {
    CHECK(curandGeneratePoisson(generator, words, n, mean));
    cudaDeviceSynchronize();
    if (!has_moments(words, mean, mean, 3 + 1 / mean, "Poisson")) return 1;
  }
  CHECK(curandDestroyGenerator(generator));
  CHECK(curandDestroyGenerator(again));
  return 0;
}

// What the host generates are the device's numbers.
int host() {
  curandGenerator_t on_device, on_host;
  float* x;
  std::vector<float> y(n);
  cudaMallocManaged(&x, n * sizeof(float));
  CHECK(curandCreateGenerator(&on_device, CURAND_RNG_PSEUDO_XORWOW));
  CHECK(curandCreateGeneratorHost(&on_host, CURAND_RNG_PSEUDO_XORWOW));
  for (curandGenerator_t generator : {on_device, on_host}) {
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 77));
    CHECK(curandSetGeneratorOffset(generator, 4096));
    CHECK(curandGenerateUniform(generator, generator == on_host ? y.data() : x, n));
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    if (x[i] != y[i]) return std::printf("FAIL [%d] %g on the device, %g on the host\n", i, x[i], y[i]), 1;
  CHECK(curandDestroyGenerator(on_device));
  CHECK(curandDestroyGenerator(on_host));
  return 0;
}

int main() {
  if (test(CURAND_RNG_PSEUDO_DEFAULT) || test(CURAND_RNG_PSEUDO_PHILOX4_32_10) ||
      test(CURAND_RNG_PSEUDO_MRG32K3A) || host())
    return 1;
  std::puts("PASS");
}
