#include "base/cpu_instructions.h"
#include "cli/application.h"

int main(int argc, char** argv) {
  cuset::avoid_missing_tiles();
  return cuset::run_application({argv + 1, argv + argc});
}
