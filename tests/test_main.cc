// Entry point of every test program.
#include <gtest/gtest.h>

#ifdef CUSET_TEST_USES_LIBTORCH
#include "ops/cpu_instructions.h"
#endif

int main(int argc, char** argv) {
#ifdef CUSET_TEST_USES_LIBTORCH
  cuset::avoid_missing_tiles();
#endif
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
