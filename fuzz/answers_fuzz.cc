// Any bytes as an answers file give answers whose samples are all different, or an Error that names the file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/files/file.h"
#include "benchmarks/answer_reader.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const cuset::base::FileDescriptor file(::memfd_create("answers", MFD_CLOEXEC));
  require(::pwrite(file.get(), data, size, 0) == static_cast<ssize_t>(size));
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  try {
    std::set<std::pair<std::string, uint32_t>> seen;
    for (const cuset::tasks::Answer& answer : cuset::benchmarks::read_answers(path)) {
      require(!answer.task.empty());
      require(answer.tokens >= -1);
      require(answer.place.starts_with(path));
      require(seen.emplace(answer.task, answer.sample).second);
    }
  } catch (const cuset::base::Error& error) {
    require(std::string_view(error.what()).find(path) != std::string_view::npos);
    require(error.one_line().find('\n') == std::string::npos);
  }
  return 0;
}
