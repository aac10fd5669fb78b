// A benchmark's file from anywhere: an archive, compressed or not, or problems in JSON. What comes out are
// tasks whose paths stay below their folder, or an Error that opens with the file's name and has a remedy.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "benchmarks/compute_eval/archive.h"
#include "benchmarks/compute_eval/compute_eval.h"
#include "execute/build/companion_sources.h"

namespace {

void check_task(const cuset::tasks::Task& task) {
  for (const auto& [path, text] : task.tests.files) {
    if (!cuset::execute::is_path_below(path)) std::abort();
  }
  if (!task.fault.empty()) return;
  if (!cuset::execute::is_path_below(task.tests.answer_file)) std::abort();
  for (const std::string& source : task.tests.sources) {
    if (!cuset::execute::is_path_below(source)) std::abort();
    if (source != task.tests.answer_file && !task.tests.files.contains(source) &&
        source.find('*') == source.npos && task.tests.sources.size() < 2)
      std::abort();
  }
}

void read(std::string_view bytes) {
  constexpr uint64_t kLimit = 1 << 20;
  if (bytes.size() > 512 && !cuset::benchmarks::looks_like_gzip(bytes) && bytes[0] != '{') {
    for (const auto& [path, content] : cuset::benchmarks::read_tar(bytes, 20, "fuzz")) {
      if (!cuset::execute::is_path_below(path)) std::abort();
    }
    return;
  }
  const std::string unpacked = cuset::benchmarks::looks_like_gzip(bytes)
                                   ? cuset::benchmarks::gunzip(bytes, kLimit, "fuzz")
                                   : std::string(bytes);
  if (unpacked.size() > kLimit) std::abort();
  for (const cuset::tasks::Task& task : cuset::benchmarks::parse_compute_eval(unpacked, "fuzz"))
    check_task(task);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    read({reinterpret_cast<const char*>(data), size});
  } catch (const cuset::base::Error& error) {
    if (!std::string_view(error.what()).starts_with("fuzz")) std::abort();
  }
  return 0;
}
