// What this program was built from.
#pragma once

#include <string>

namespace cuset::cli {

// "0.1.0"
std::string program_version();

// The git revision, with "-dirty" for uncommitted changes; "unknown" outside a checkout.
std::string git_revision();

// The lines of `cuset --version`: version and revision, LibTorch, CUDA, compiler.
std::string version_text();

}  // namespace cuset::cli
