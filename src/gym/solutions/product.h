// Kernels for products of matrices: every element of the result is a sum over $k of an element of the left
// and one of the right.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

// Sides of the factors.
struct FactorSizes {
  int64_t rows = 0;
  int64_t inner = 0;
  int64_t columns = 0;
};

FactorSizes draw_product(base::RandomStream& stream, int64_t most = 96);

// A draft with the factors $a, of $rows x $inner unless transposed, and $b, of $inner x $columns unless
// transposed, and the result $c in float32.
GymDraft draft_on_factors(const FactorSizes& size, tasks::NumberType type, bool transpose_a,
                          bool transpose_b);

struct ProductWork {
  std::vector<std::string> arrays = {"a", "b", "c"};
  std::vector<std::string> sizes = {"rows", "inner", "columns"};
  std::vector<std::string> scalars = {};
  std::vector<std::string> headers = {};
  std::string rows = "$rows";
  std::string columns = "$columns";
  std::string inner = "$inner";
  std::string batches = {};  // how many products; empty: one. $batch is the number of one
  std::string left = "$a[$row * $inner + $k]";
  std::string right = "$b[$k * $columns + $column]";
  // Where the sum ends, if before `inner`: "$row + 1"; `left` is 0 from there on in tiles
  std::string last = {};
  std::string store = "$c[$row * $columns + $column] = $acc;\n";
};

// A thread per element, tiles in shared memory, four columns a thread, a block per row.
std::vector<GymSolution> product_solutions(const ProductWork& work, base::RandomStream& stream);

}  // namespace cuset::gym
