// What a run was asked, in a JSON file beside its results, so that a later run continues the same thing or is
// refused.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/json/json.h"

namespace cuset::base {

// Writes `file` with `identity`, which decides the results, and then `about`; or compares the file there with
// `identity`. `results` names what lies beside it ("verdicts"). Throws Error naming the first thing that is
// different, and what to do.
void claim_run(const std::filesystem::path& file, const Json& identity, const Json& about,
               std::string_view results);

// Throws Error where a file of results is there without the record that claim_run writes.
void refuse_unclaimed(const std::filesystem::path& results, const std::filesystem::path& record);

}  // namespace cuset::base
