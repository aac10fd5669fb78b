#include "runtime/launch/matrix_operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "cuset_emulator/small_floats.h"

namespace cuset_emulator {
namespace {

constexpr uint32_t kColumns = 8;
constexpr uint32_t kMostRows = 16;
constexpr uint32_t kMostDepth = 256;

struct Product {
  explicit Product(uint32_t code)
      : a(code & 15),
        b(code >> 4 & 15),
        c(code >> 8 & 15),
        d(code >> 12 & 15),
        rows((code >> 16 & 1) != 0 ? 16 : 8),
        depth(std::min(code >> 17 & 1023, kMostDepth)),
        saturates((code >> 28 & 1) != 0) {}
  uint32_t a, b, c, d;
  uint32_t rows;
  uint32_t depth;
  bool saturates;
};

uint32_t bits_of_element(uint32_t element) {
  switch (element) {
    case CUSET_F64:
      return 64;
    case CUSET_TF32:
    case CUSET_F32:
    case CUSET_S32:
      return 32;
    case CUSET_F16:
    case CUSET_BF16:
      return 16;
    case CUSET_S4:
    case CUSET_U4:
      return 4;
    case CUSET_B1_XOR:
    case CUSET_B1_AND:
      return 1;
    default:
      return 8;
  }
}

template <class T>
T at(const void* registers, uint32_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(registers) + index * sizeof(T), sizeof(T));
  return value;
}

float float_element(uint32_t element, const void* registers, uint32_t index) {
  switch (element) {
    case CUSET_F16:
      return half_to_float(at<uint16_t>(registers, index));
    case CUSET_BF16:
      return bfloat16_to_float(at<uint16_t>(registers, index));
    case CUSET_TF32:
      return same_bits<float>(at<uint32_t>(registers, index) & 0xffffe000u);
    case CUSET_E4M3:
      return e4m3_to_float(at<uint8_t>(registers, index));
    case CUSET_E5M2:
      return e5m2_to_float(at<uint8_t>(registers, index));
    default:
      return at<float>(registers, index);
  }
}

int32_t integer_element(uint32_t element, const void* registers, uint32_t index) {
  const uint32_t nibble = at<uint8_t>(registers, index / 2) >> index % 2 * 4 & 15u;
  switch (element) {
    case CUSET_S8:
      return at<int8_t>(registers, index);
    case CUSET_U8:
      return at<uint8_t>(registers, index);
    case CUSET_S4:
      return static_cast<int32_t>(nibble ^ 8u) - 8;
    case CUSET_U4:
      return static_cast<int32_t>(nibble);
    case CUSET_B1_XOR:
    case CUSET_B1_AND:
      return at<uint8_t>(registers, index / 8) >> index % 8 & 1;
    default:
      return at<int32_t>(registers, index);
  }
}

template <class Number>
Number element_at(uint32_t element, const void* registers, uint32_t index) {
  if constexpr (std::is_same_v<Number, double>) return at<double>(registers, index);
  if constexpr (std::is_same_v<Number, float>) return float_element(element, registers, index);
  if constexpr (std::is_same_v<Number, int32_t>) return integer_element(element, registers, index);
}

template <class Number>
struct Matrices {
  Number a[kMostRows][kMostDepth];
  Number b[kMostDepth][kColumns];
  Number sum[kMostRows][kColumns];
};

// Takes the elements of one lane.
template <class Number>
void gather(const Product& product, uint32_t lane, const CusetMatrixRegisters& registers,
            Matrices<Number>& all) {
  const uint32_t group = lane / 4, place = lane % 4, halves = product.rows / 8;
  const uint32_t together = std::max(1u, 32 / bits_of_element(product.a));
  for (uint32_t i = 0; i < product.rows * product.depth / 32; ++i) {
    const uint32_t number = i / together;
    const uint32_t column = place * together + i % together + 4 * together * (number / halves);
    all.a[group + 8 * (number % halves)][column] = element_at<Number>(product.a, registers.a, i);
  }
  for (uint32_t i = 0; i < kColumns * product.depth / 32; ++i) {
    const uint32_t row = place * together + i % together + 4 * together * (i / together);
    all.b[row][group] = element_at<Number>(product.b, registers.b, i);
  }
  for (uint32_t i = 0; i < 2 * halves; ++i)
    all.sum[group + 8 * (i / 2)][2 * place + i % 2] = element_at<Number>(product.c, registers.c, i);
}

int32_t added(int32_t sum, int32_t term, bool saturates) {
  const int64_t exact = int64_t{sum} + term;
  if (!saturates) return static_cast<int32_t>(static_cast<uint32_t>(exact));
  return static_cast<int32_t>(
      std::clamp<int64_t>(exact, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
}

// Products of narrow floats are exact in float.
template <class Number>
Number step(const Product& product, Number a, Number b, Number sum) {
  if constexpr (std::is_same_v<Number, double>) return std::fma(a, b, sum);
  if constexpr (std::is_same_v<Number, float>) return sum + a * b;
  if constexpr (std::is_same_v<Number, int32_t>)
    return added(sum, product.a == CUSET_B1_XOR ? a ^ b : a * b, product.saturates);
}

template <class Number>
void multiply(const Product& product, Matrices<Number>& all) {
  for (uint32_t row = 0; row < product.rows; ++row) {
    for (uint32_t k = 0; k < product.depth; ++k) {
      for (uint32_t column = 0; column < kColumns; ++column) {
        Number& sum = all.sum[row][column];
        sum = step(product, all.a[row][k], all.b[k][column], sum);
      }
    }
  }
}

template <class Number>
void put(const Product& product, Number value, void* registers, uint32_t index) {
  if constexpr (std::is_same_v<Number, float>) {
    if (product.d == CUSET_F16) {
      const uint16_t bits = float_to_half(value);
      std::memcpy(static_cast<char*>(registers) + index * sizeof bits, &bits, sizeof bits);
      return;
    }
  }
  std::memcpy(static_cast<char*>(registers) + index * sizeof value, &value, sizeof value);
}

template <class Number>
void multiply_lanes(const Product& product, uint32_t lanes, const Request* requests) {
  Matrices<Number> all;
  if (lanes != ~0u) all = {};
  const auto registers_of = [&](uint32_t lane) -> const CusetMatrixRegisters& {
    return *reinterpret_cast<const CusetMatrixRegisters*>(requests[lane].value);
  };
  for_each_lane(lanes, [&](uint32_t lane) { gather(product, lane, registers_of(lane), all); });
  multiply(product, all);
  for_each_lane(lanes, [&](uint32_t lane) {
    for (uint32_t i = 0; i < product.rows / 4; ++i)
      put(product, all.sum[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2], registers_of(lane).d, i);
  });
}

}  // namespace

void multiply_matrices(uint32_t lanes, const Request* requests) {
  const Product product(requests[__builtin_ctz(lanes)].argument);
  if (product.a == CUSET_F64) return multiply_lanes<double>(product, lanes, requests);
  if (product.a >= CUSET_S8) return multiply_lanes<int32_t>(product, lanes, requests);
  multiply_lanes<float>(product, lanes, requests);
}

}  // namespace cuset_emulator
