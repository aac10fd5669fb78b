// nvcuda::wmma: matrices spread over the lanes of a warp, and their products on tensor cores.
//
// A fragment's elements lie in the lanes as those of mma.sync (runtime/launch/matrix_operations.h), tile after tile of
// 16x8 elements of the result; where the result has 8 rows and 32 columns, as those of the transposed product. Loads and
// stores need no other lane; a product is one operation of the warp for each tile. Fragments of half hold their elements
// twice or more, as CUDA's do.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuset_emulator/abi.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

}  // namespace wmma
}  // namespace nvcuda

namespace cuset_emulator {
namespace matrix {

template <class T>
struct Element;
#define CUSET_MATRIX_ELEMENT(type, storage_type, element_code)                                     \
  template <>                                                                                      \
  struct Element<type> {                                                                           \
    typedef storage_type Storage;                                                                  \
    static constexpr unsigned kCode = element_code;                                                \
    static constexpr unsigned kTogether = sizeof(storage_type) < 4 ? 4 / sizeof(storage_type) : 1; \
  };
CUSET_MATRIX_ELEMENT(__half, __half, CUSET_F16)
CUSET_MATRIX_ELEMENT(__nv_bfloat16, __nv_bfloat16, CUSET_BF16)
CUSET_MATRIX_ELEMENT(nvcuda::wmma::precision::tf32, float, CUSET_TF32)
CUSET_MATRIX_ELEMENT(float, float, CUSET_F32)
CUSET_MATRIX_ELEMENT(double, double, CUSET_F64)
CUSET_MATRIX_ELEMENT(signed char, signed char, CUSET_S8)
CUSET_MATRIX_ELEMENT(char, char, CUSET_S8)
CUSET_MATRIX_ELEMENT(unsigned char, unsigned char, CUSET_U8)
CUSET_MATRIX_ELEMENT(int, int, CUSET_S32)
#undef CUSET_MATRIX_ELEMENT

struct Place {
  unsigned int row;
  unsigned int column;
};

CUSET_DEVICE_FUNCTION Place transposed(Place place, bool wanted) {
  return wanted ? Place{place.column, place.row} : place;
}

// The left operand of a product: tiles of 16 rows (8 of double), one below the other.
template <int kRows, int kDepth, class T>
struct Left {
  static constexpr int kTileRows = kRows < 16 ? 8 : 16;
  static constexpr int kInTile = kTileRows * kDepth / 32;
  static constexpr int kCount = kRows * kDepth / 32;
  CUSET_DEVICE_FUNCTION Place place_of(unsigned int lane, unsigned int element) {
    constexpr unsigned int together = Element<T>::kTogether, halves = kTileRows / 8;
    const unsigned int inside = element % kInTile, number = inside / together;
    return Place{kTileRows * (element / kInTile) + lane / 4 + 8 * (number % halves),
                 lane % 4 * together + inside % together + 4 * together * (number / halves)};
  }
};

// The right operand: tiles of 8 columns, side by side.
template <int kDepth, int kColumns, class T>
struct Right {
  static constexpr int kInTile = 8 * kDepth / 32;
  static constexpr int kCount = kColumns * kDepth / 32;
  CUSET_DEVICE_FUNCTION Place place_of(unsigned int lane, unsigned int element) {
    constexpr unsigned int together = Element<T>::kTogether;
    const unsigned int inside = element % kInTile;
    return Place{lane % 4 * together + inside % together + 4 * together * (inside / together),
                 8 * (element / kInTile) + lane / 4};
  }
};

// What is added and the result: either several tiles side by side, or several below each other.
template <int kRows, int kColumns>
struct Sum {
  static constexpr int kInTile = (kRows < 16 ? 8 : 16) / 4;
  static constexpr int kCount = kRows * kColumns / 32;
  CUSET_DEVICE_FUNCTION Place place_of(unsigned int lane, unsigned int element) {
    const unsigned int inside = element % kInTile, tile = element / kInTile;
    return Place{(kColumns == 8 ? 16 * tile : 0) + lane / 4 + 8 * (inside / 2),
                 (kColumns == 8 ? 0 : 8 * tile) + 2 * (lane % 4) + inside % 2};
  }
};

// A result of 8 rows and 32 columns is computed as its transpose.
template <class Use, int m, int n, int k, class T>
struct Operand;
template <int m, int n, int k, class T>
struct Operand<nvcuda::wmma::matrix_a, m, n, k, T> {
  static constexpr bool kSwapped = m == 8 && n == 32;
  typedef typename std::conditional<kSwapped, Right<k, m, T>, Left<m, k, T>>::type Layout;
};
template <int m, int n, int k, class T>
struct Operand<nvcuda::wmma::matrix_b, m, n, k, T> {
  static constexpr bool kSwapped = m == 8 && n == 32;
  typedef typename std::conditional<kSwapped, Left<n, k, T>, Right<k, n, T>>::type Layout;
};
template <int m, int n, int k, class T>
struct Operand<nvcuda::wmma::accumulator, m, n, k, T> {
  static constexpr bool kSwapped = m == 8 && n == 32;
  typedef typename std::conditional<kSwapped, Sum<n, m>, Sum<m, n>>::type Layout;
};

// Which shapes there are for an element of A and B.
template <class T, int m, int n, int k>
constexpr bool has_shape() {
  constexpr unsigned code = Element<T>::kCode;
  if (code == CUSET_F64) return m == 8 && n == 8 && k == 4;
  if (code == CUSET_TF32) return m == 16 && n == 16 && k == 8;
  return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}

template <class Use, int m, int n, int k, class T>
struct Elements {
  typedef Operand<Use, m, n, k, T> Role;
  typedef typename Role::Layout Layout;
  static constexpr bool kIsSum = std::is_same<Use, nvcuda::wmma::accumulator>::value;
  static constexpr int kStored = !kIsSum && std::is_same<T, __half>::value ? 16 : Layout::kCount;
  enum { num_elements = kStored, num_storage_elements = kStored };
  typedef T element_type;
  typedef typename Element<T>::Storage storage_element_type;
  storage_element_type x[kStored];

  CUSET_DEVICE_FUNCTION Place place_of(unsigned int element) {
    return transposed(Layout::place_of(cuset_context.lane, element % Layout::kCount), Role::kSwapped);
  }
};

CUSET_DEVICE_FUNCTION unsigned long long offset_of(Place place, unsigned int pitch, bool by_rows) {
  return by_rows ? static_cast<unsigned long long>(place.row) * pitch + place.column
                 : static_cast<unsigned long long>(place.column) * pitch + place.row;
}

// One tile: registers of the left and right operand, of the sum and the result.
template <class D, class A, class B, class C>
CUSET_DEVICE_FUNCTION void multiply_tile(unsigned int rows, unsigned int depth, CusetMatrixRegisters tile,
                                         bool saturates) {
  const unsigned int product = CUSET_MATRIX_PRODUCT(rows, depth, Element<A>::kCode, Element<B>::kCode,
                                                    Element<C>::kCode, Element<D>::kCode, saturates);
  cuset_request(CUSET_MATRIX, 0xffffffffu, reinterpret_cast<uint64_t>(&tile), product);
}

}  // namespace matrix
}  // namespace cuset_emulator

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public cuset_emulator::matrix::Elements<Use, m, n, k, T> {
  static_assert(std::is_same<Use, accumulator>::value || cuset_emulator::matrix::has_shape<T, m, n, k>(),
                "wmma has no fragment of this shape and type");
};

template <class Use, int m, int n, int k, class T, class Layout, class Number>
CUSET_DEVICE_FUNCTION void fill_fragment(fragment<Use, m, n, k, T, Layout>& to, const Number& value) {
  typedef typename fragment<Use, m, n, k, T, Layout>::storage_element_type Storage;
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = static_cast<Storage>(value);
}

// All lanes have arrived, as on a GPU: what others wrote before is there.
template <class Use, int m, int n, int k, class T, class Layout, class Source>
CUSET_DEVICE_FUNCTION void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to, const Source* from,
                                            unsigned int pitch) {
  typedef fragment<Use, m, n, k, T, Layout> Fragment;
  cuset_request(CUSET_WARP_SYNC, 0xffffffffu, 0, 0);
  for (int i = 0; i < to.num_elements; ++i)
    to.x[i] = from[cuset_emulator::matrix::offset_of(Fragment::place_of(i), pitch,
                                                     std::is_same<Layout, row_major>::value)];
}

template <int m, int n, int k, class T>
CUSET_DEVICE_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from,
                                            unsigned int pitch, layout_t layout) {
  typedef fragment<accumulator, m, n, k, T> Fragment;
  cuset_request(CUSET_WARP_SYNC, 0xffffffffu, 0, 0);
  for (int i = 0; i < to.num_elements; ++i)
    to.x[i] = from[cuset_emulator::matrix::offset_of(Fragment::place_of(i), pitch, layout == mem_row_major)];
}

template <int m, int n, int k, class T>
CUSET_DEVICE_FUNCTION void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from,
                                             unsigned int pitch, layout_t layout) {
  typedef fragment<accumulator, m, n, k, T> Fragment;
  cuset_request(CUSET_WARP_SYNC, 0xffffffffu, 0, 0);
  for (int i = 0; i < from.num_elements; ++i)
    to[cuset_emulator::matrix::offset_of(Fragment::place_of(i), pitch, layout == mem_row_major)] = from.x[i];
  cuset_request(CUSET_WARP_SYNC, 0xffffffffu, 0, 0);
}

template <int m, int n, int k, class D, class A, class B, class C, class LayoutA, class LayoutB>
CUSET_DEVICE_FUNCTION void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                    const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                                    const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                                    const fragment<accumulator, m, n, k, C>& c, bool satf = false) {
  typedef fragment<accumulator, m, n, k, D> Result;
  constexpr bool is_integer = std::is_same<D, int>::value, swapped = Result::Role::kSwapped;
  constexpr int rows = m == 8 && n == 8 ? 8 : 16, in_tile = Result::Layout::kInTile;
  if (satf && !is_integer) cuset_unsupported("mma_sync with satf of floating-point fragments");
  for (int tile = 0; tile < Result::Layout::kCount / in_tile; ++tile) {
    const auto* left = swapped ? static_cast<const void*>(b.x) : a.x;
    const auto* right = swapped ? static_cast<const void*>(a.x) : b.x;
    // Rows of tiles have a left operand each, columns of tiles a right one.
    const bool by_rows = swapped || n == 8;
    const unsigned int bytes = 16 * k / 32 * sizeof(a.x[0]), right_bytes = 8 * k / 32 * sizeof(a.x[0]);
    cuset_emulator::matrix::multiply_tile<D, A, B, C>(
        rows, k,
        CusetMatrixRegisters{static_cast<const char*>(left) + (by_rows ? tile * bytes : 0),
                             static_cast<const char*>(right) + (by_rows ? 0 : tile * right_bytes),
                             c.x + tile * in_tile, d.x + tile * in_tile},
        satf);
  }
}

CUSET_DEVICE_FUNCTION float __float_to_tf32(float value) {
  const unsigned int bits = __float_as_uint(value);
  const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
  return is_finite ? __uint_as_float((bits + 0x1000u) & 0xffffe000u) : value;
}

}  // namespace wmma
}  // namespace nvcuda
