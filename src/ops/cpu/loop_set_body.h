// All loops for one set of vector instructions: included by one source per set, which names its
// CUSET_LOOP_LANES (floats of a vector register) and CUSET_LOOP_SUMS (registers that may hold sums) and is
// compiled for it. Nothing here may be shared between these sources, so nothing of the standard library is
// used and everything is in an unnamed namespace.
#include "ops/cpu/loop_sets.h"
#include "ops/cpu/panel_loops_body.h"
#include "ops/cpu/row_loops_body.h"
#include "ops/cpu/tile_loops_body.h"
#include "ops/cpu/vector_loops_body.h"

namespace cuset::ops {
namespace {

constexpr LoopSet loop_set(const char* name) {
  return {.name = name,
          .panel = {product_loop, weighted_sums_loop, exponentials_loop, norm_loop},
          .tile = {tile_product_loop, fold_scores_loop, score_gradients_loop, row_products_loop},
          .rms_norm_row = rms_norm_loop,
          .rms_norm_backward_row = rms_norm_backward_loop,
          .swiglu_row = swiglu_loop,
          .swiglu_backward_row = swiglu_backward_loop,
          .rotary_row = rotary_loop,
          .softmax_row = softmax_loop,
          .exponentials_row = exponentials_row_loop,
          .add_product = add_product_loop,
          .dot_products = dot_products_loop,
          .multiply = multiply_loop,
          .add_multiplied = add_multiplied_loop};
}

}  // namespace
}  // namespace cuset::ops
