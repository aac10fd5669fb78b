// Rows of CUDABench from anywhere: shapes, compare.py and bench.cu hold whatever they like.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "benchmarks/cudabench/cudabench.h"

// The parts of the input, between bytes 0x1e: shape, bench.cu, compare.py.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string parts[3];
  size_t part = 0;
  for (size_t i = 0; i < size && i < 4096; ++i) {
    if (data[i] == 0x1e && part < 2)
      ++part;
    else
      parts[part] += static_cast<char>(data[i]);
  }
  cuset::base::Json row = {
      {"id", 1}, {"task_name", "t"}, {"bench.cu", parts[1]}, {"gen.py", ""}, {"compare.py", parts[2]}};
  row["inputs"] = cuset::base::Json::array();
  row["outputs"] = cuset::base::Json::array({{{"name", "y"}, {"dtype", "float32"}, {"shape", parts[0]}}});
  try {
    for (const cuset::tasks::TaskOutput& output :
         cuset::benchmarks::task_of_cudabench_row(row, "fuzz:1").outputs)
      CUSET_CHECK(output.tolerance.absolute >= 0, "{}", output.tolerance.absolute);
  } catch (const cuset::base::Error& error) {
    CUSET_CHECK(error.one_line().find('\n') == std::string::npos, "{}", error.one_line());
  }
  return 0;
}
