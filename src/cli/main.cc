#include "base/machine/cpu_instructions.h"
#include "base/machine/openmp_waiting.h"
#include "cli/application.h"

CUSET_WAIT_BRIEFLY();

int main(int argc, char** argv) {
  cuset::avoid_missing_tiles();
  return cuset::run_application({argv + 1, argv + argc});
}
