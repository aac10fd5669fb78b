// Where a model computes: the device, the type of its weights and the processor's threads, as the user writes
// them, and what "auto" stands for on this machine. Free of LibTorch headers, so that any module may include
// it; model_folder.h turns a resolved placement into LibTorch's types.
#pragma once

#include <cstdint>
#include <string>

namespace cuset::model {

struct Placement {
  std::string device = "auto";  // "cpu", "cuda", or "auto": a GPU where LibTorch sees one
  std::string dtype = "auto";   // "float32", "bfloat16", or "auto": bfloat16 on a GPU, else float32
  int64_t threads = 0;          // of the processor; 0: the program decides

  // The same without "auto". Throws Error for "cuda" where LibTorch sees no GPU.
  Placement resolve() const;

  // Of a resolved placement.
  bool is_gpu() const { return device == "cuda"; }
  bool is_bfloat16() const { return dtype == "bfloat16"; }
  int gpu_index() const { return is_gpu() ? 0 : -1; }  // as ops/device/memory.h counts
};

// Of a resolved placement: warns of bfloat16 on a CPU that has no instructions for it.
void warn_of_slow_type(const Placement& placement);

}  // namespace cuset::model
