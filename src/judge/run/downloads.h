// What an answer's host was given of the device's memory (device_proof.h), beside what it wrote as outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks/array.h"

namespace cuset::judge {

using Download = std::vector<std::byte>;

// Bytes of `downloads` that are not part of an output, as they are or converted to the output's number type.
// Repetitions of one word (padding, memory that nobody wrote) do not count either.
uint64_t bytes_beside_outputs(const std::vector<Download>& downloads,
                              const std::vector<tasks::Array>& outputs);

// The outputs that the host would have written if it had been given `other` in place of `downloads`: every
// output must be one download or be composed of several. Nothing where it is not, or where the sizes of the
// two differ.
std::optional<std::vector<tasks::Array>> outputs_of_other(const std::vector<Download>& downloads,
                                                          const std::vector<Download>& other,
                                                          const std::vector<tasks::Array>& outputs);

}  // namespace cuset::judge
