// Entry point of every test program.
#include <gtest/gtest.h>

#include "base/machine/cpu_instructions.h"
#include "base/machine/openmp_waiting.h"

CUSET_WAIT_BRIEFLY();

int main(int argc, char** argv) {
  cuset::base::avoid_missing_tiles();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
