// CCCL: Thrust, CUB and libcu++, NVIDIA's libraries of headers (Apache-2.0). Programs find them in the CUDA toolkit, and so
// does the CPU executor: their kernels are compiled like any other (docs/emulator.md#libraries).
//
// clang compiles device code for the CPU here and knows the CPU's constraints of inline assembly, not PTX's: "=h" (16 bits)
// and "=f" (a float) are refused before our pass sees the instruction. So CCCL is used from a copy with "=r" in their places,
// which the pass does not look at. The copy is kept beside the cache of objects.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

// Where CCCL's folder is looked for, in order: $CUSET_CCCL, then beside each place of nvcc (nvcc_search.h), in
// include/cccl (CUDA 13) and include (CUDA 12). Folders need not exist.
std::vector<std::filesystem::path> cccl_search_paths();

// The first folder that holds thrust/, cub/ and cuda/std/; none is an ordinary outcome.
std::optional<std::filesystem::path> find_cccl(
    const std::vector<std::filesystem::path>& candidates = cccl_search_paths());

// A copy of CCCL that clang compiles, below `kept`; made where it is not there yet. Safe to call from many processes at
// once. Throws Error where it cannot be written.
std::filesystem::path adapted_cccl(const std::filesystem::path& cccl, const std::filesystem::path& kept);

// `source` with the constraints of PTX's assembly that clang refuses replaced. Lines and columns stay.
std::string adapt_assembly(std::string_view source);

}  // namespace cuset::execute
