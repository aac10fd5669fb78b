// report_draw FOLDER: what `cuset report` does, in a build without the command line.
#include <cstdio>

#include "base/error.h"
#include "report/report.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    std::puts(cuset::report::write_report(argv[1]).c_str());
    return 0;
  } catch (const cuset::base::Error& error) {
    std::fprintf(stderr, "%s\n", error.one_line().c_str());
    return 1;
  }
}
