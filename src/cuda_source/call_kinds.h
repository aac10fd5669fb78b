// Which functions and member functions of device code synchronize, index threads or touch memory.
#pragma once

#include <optional>
#include <string_view>

#include "cuda_source/regions.h"

namespace cuset::cuda_source {

// The kind of a call to `name`; `member` after `.` or `->`.
std::optional<RegionKind> call_kind(std::string_view name, bool member);

// Appends the kinds that the text of inline assembly names.
void assembly_kinds(std::string_view assembly, std::vector<RegionKind>& kinds);

}  // namespace cuset::cuda_source
