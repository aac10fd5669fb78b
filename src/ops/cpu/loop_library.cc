// The entrance of a shared library of loops, for loop_sets_test.cc: the sets of the compiler that made it.
#include "ops/cpu/loop_sets.h"

extern "C" const cuset::ops::LoopSet* cuset_loop_set(int index) {
  const cuset::ops::LoopSetList list = cuset::ops::all_loop_sets();
  return index < list.count ? list.sets[index] : nullptr;
}
