// Scripts from anywhere: whatever they hold, they end within their limits in arrays or an Error of one line.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "verify/tasks/script/run_script.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const cuset::script::ScriptRun run{
      .variation = static_cast<cuset::Variation>(size % cuset::kVariations),
      .limits = {.seconds = 0.5, .bytes = uint64_t{1} << 24, .items = uint64_t{1} << 18, .depth = 200}};
  try {
    for (const cuset::Array& array :
         cuset::script::run_script(text, {"a", "b"}, cuset::RandomStream(1, "fuzz"), run))
      CUSET_CHECK(array.bytes.size() % cuset::bytes_of(array.type) == 0, "{} bytes", array.bytes.size());
  } catch (const cuset::Error& error) {
    CUSET_CHECK(error.one_line().find('\n') == std::string::npos, "{}", error.one_line());
  }
  return 0;
}
