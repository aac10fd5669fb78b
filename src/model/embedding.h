// Embedding lookup: row ids[t] of the table for every token. A trained table's gradient goes to its Parameter
// (ops/parameter.h), so that a table shared with the head collects both parts.
#pragma once

#include <torch/types.h>

#include "ops/parameter.h"

namespace cuset::model {

// table[ids], [tokens, width]. Where the table is trained, backward adds the rows' gradients to
// table.gradient, in the same order every time.
torch::Tensor embed(const torch::Tensor& ids,      // [tokens] int64
                    const ops::Parameter& table);  // [vocab, width]

}  // namespace cuset::model
