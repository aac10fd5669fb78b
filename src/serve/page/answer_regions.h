// POST /regions: where the kernels and launches of a model's answer are (cuda_source/answer.h), for pages that color them.
//
//   {"text": answer} -> {"regions": [{"begin", "end", "kind", "name"}]}
//
// Offsets count UTF-16 code units, as strings of JavaScript do.
#pragma once

#include <string>

#include "base/json/json.h"

namespace cuset::serve {

// Throws Error that names the field at fault; for a text of more than a mebibyte, too.
base::Json answer_regions(const base::Json& body);

}  // namespace cuset::serve
