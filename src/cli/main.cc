#include "cli/application.h"

int main(int argc, char** argv) { return cuset::run_application({argv + 1, argv + argc}); }
