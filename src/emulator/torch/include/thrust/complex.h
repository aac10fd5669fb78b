// Stands in for Thrust's <thrust/complex.h>, which PyTorch's complex numbers include and which takes a tenth of nvcc's time:
// enough to declare them. Functions have no body: a source that computes with them does not compile, or cannot be loaded, and
// is compiled again with the real one.
#pragma once

#if __has_include(<cuset_names.h>)
#include <cuset_names.h>
#endif

#ifdef CUSET_NAMES_THRUST
#include_next <thrust/complex.h>
#else

#include <cmath>
#include <complex>
#include <type_traits>

namespace thrust {

template <typename T>
struct complex {
  using value_type = T;

  __host__ __device__ complex(T real = T(), T imag = T()) : real_(real), imag_(imag) {}
  template <typename U>
  __host__ __device__ explicit complex(const complex<U>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  __host__ __device__ T real() const { return real_; }
  __host__ __device__ T imag() const { return imag_; }

 private:
  T real_, imag_;
};

template <typename T>
__host__ __device__ T abs(const complex<T>& value);
template <typename T>
__host__ __device__ complex<T> polar(const T& magnitude, const T& angle);

#define CUSET_FUNCTION(name) \
  template <typename T>      \
  __host__ __device__ complex<T> name(const complex<T>& value);
CUSET_FUNCTION(exp)
CUSET_FUNCTION(log)
CUSET_FUNCTION(log10)
CUSET_FUNCTION(sqrt)
CUSET_FUNCTION(sin)
CUSET_FUNCTION(cos)
CUSET_FUNCTION(tan)
CUSET_FUNCTION(asin)
CUSET_FUNCTION(acos)
CUSET_FUNCTION(atan)
CUSET_FUNCTION(sinh)
CUSET_FUNCTION(cosh)
CUSET_FUNCTION(tanh)
CUSET_FUNCTION(asinh)
CUSET_FUNCTION(acosh)
CUSET_FUNCTION(atanh)
#undef CUSET_FUNCTION

template <typename T, typename U>
__host__ __device__ complex<std::common_type_t<T, U>> pow(const complex<T>& base, const complex<U>& exponent);
template <typename T, typename U>
__host__ __device__ complex<std::common_type_t<T, U>> pow(const complex<T>& base, const U& exponent);
template <typename T, typename U>
__host__ __device__ complex<std::common_type_t<T, U>> pow(const T& base, const complex<U>& exponent);

}  // namespace thrust

#endif  // CUSET_NAMES_THRUST
