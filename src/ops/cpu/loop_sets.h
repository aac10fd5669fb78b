// The inner loops of the CPU (panel_loops.h, row_loops.h, tile_loops.h, vector_loops.h), once for every set of
// vector instructions they are compiled for. Programs call the loops through those headers and get the widest set
// that the machine runs; tests compare the sets.
//
// Which bits are promised: every sum has one order and every product that is added is rounded once with its
// sum (loop_arithmetic.h), both written out in the source. So a result depends on the inputs alone: not on
// the other rows of the call, nor on the compiler and its options, and the sets with fused multiply-add (all
// but "plain" on x86-64) agree to the last bit. "plain" rounds twice there, for its machines cannot fuse; it
// still has the same bits with every compiler. Three things are left out: which not-a-number comes of
// several, the logarithm of softmax_row, which is the C library's, and results that underflow where a library
// sets the processor to flush them to zero.
#pragma once

#include "ops/cpu/panel_loops.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/tile_loops.h"
#include "ops/cpu/vector_loops.h"

namespace cuset::ops {

struct LoopSet {
  const char* name;
  PanelLoops panel;
  TileLoops tile;
  decltype(&cuset::ops::rms_norm_row) rms_norm_row;
  decltype(&cuset::ops::rms_norm_backward_row) rms_norm_backward_row;
  decltype(&cuset::ops::swiglu_row) swiglu_row;
  decltype(&cuset::ops::swiglu_backward_row) swiglu_backward_row;
  decltype(&cuset::ops::rotary_row) rotary_row;
  decltype(&cuset::ops::softmax_row) softmax_row;
  decltype(&cuset::ops::exponentials_row) exponentials_row;
  void (*add_product)(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float* c,
                      int64_t c_row);
  decltype(&cuset::ops::dot_products) dot_products;
  decltype(&cuset::ops::multiply) multiply;
  decltype(&cuset::ops::add_multiplied) add_multiplied;
};

// There only on x86-64.
extern const LoopSet kLoopSetAvx512;
extern const LoopSet kLoopSetAvx2;

// All that this machine runs, the widest first. Last is "plain", which every machine runs.
struct LoopSetList {
  const LoopSet* sets[3];
  int count;
};
LoopSetList all_loop_sets();

}  // namespace cuset::ops
