// Matrix products.
#pragma once

#include "verify/tasks/script/numbers.h"

namespace cuset::script {

// numpy's a @ b: vectors, matrices and stacks of matrices. Throws Failure where the shapes do not match.
Numbers matrix_product(const Numbers& a, const Numbers& b);

}  // namespace cuset::script
