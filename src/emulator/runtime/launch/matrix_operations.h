// Tensor cores: the product of small matrices whose elements lie in the registers of a warp's lanes.
//
// With group = lane / 4, place = lane % 4 and e elements in a 32-bit register (one, if they are wider), element i of
// register r is
//   of A [rows, depth]   row group + 8 * (r % 2), column place * e + i + 4 * e * (r / 2)    (8 rows: r for r / 2)
//   of B [depth, 8]      row place * e + i + 4 * e * r, column group
//   of C, D [rows, 8]    rows group and group + 8, columns 2 * place and 2 * place + 1, in this order
//
// A sum starts with C and takes the products in the order of columns of A. Floating-point sums are float (double for
// double): each step is rounded to nearest, D once more if it is half. A GPU's order and rounding are not specified.
// Of tf32 the low 13 bits are ignored. Sums of integers wrap around, or end at the ends of int (saturating).
#pragma once

#include <cstdint>

#include "runtime/launch/warp_operations.h"

namespace cuset_emulator {

// Of the lanes in `lanes`, whose requests (an array of 32) all are CUSET_MATRIX of the same product. Lanes that are
// missing have zeros.
void multiply_matrices(uint32_t lanes, const Request* requests);

}  // namespace cuset_emulator
