// Instructions of the CPU that LibTorch and PyTorch would use and that are not there.
//
// Some virtual machines announce Intel's matrix unit (AMX; CPUID leaf 7) but hide how its tiles are made up
// (leaf 0x1D). oneDNN, which computes LibTorch's bfloat16 products, believes the first and sets up no tiles:
// the program ends with an illegal instruction.
#pragma once

#include <cstdint>

namespace cuset::base {

// The environment variable that tells oneDNN which instructions it may use.
constexpr const char* kOneDnnLimit = "ONEDNN_MAX_CPU_ISA";

// Whether a processor that answers so announces the matrix unit without tiles.
bool lacks_announced_tiles(uint32_t leaf_7_edx, uint32_t leaf_1d_eax);

// The same of the processor that this runs on.
bool lacks_announced_tiles();

// Whether a processor that answers so multiplies bfloat16 numbers itself, in vectors (AVX512_BF16; leaf 7.1) or in tiles
// (AMX_BF16) that are there; where it does not, LibTorch converts each number, and float32 is faster.
bool has_bfloat16_products(uint32_t leaf_7_1_eax, uint32_t leaf_7_edx, uint32_t leaf_1d_eax);

// The same of the processor that this runs on; true of one that is not x86, which is not asked.
bool has_bfloat16_products();

// Keeps oneDNN from them where they are missing, unless kOneDnnLimit is set already. oneDNN asks once: call
// this before anything is computed, while there is one thread. Children inherit it if they are given it.
void avoid_missing_tiles();

}  // namespace cuset::base
