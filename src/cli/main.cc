#include "base/machine/cpu_instructions.h"
#include "base/machine/openmp_waiting.h"
#include "cli/application.h"

CUSET_WAIT_BRIEFLY();

int main(int argc, char** argv) {
  cuset::base::avoid_missing_tiles();
  return cuset::cli::run_application({argv + 1, argv + argc});
}
