// parse_json: any bytes give a value or an Error; a value survives writing and reading again.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "base/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cuset::base::Json value;
  try {
    value = cuset::base::parse_json({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const cuset::base::Error&) {
    return 0;
  }
  const std::string text = cuset::base::to_json_line(value);
  if (cuset::base::to_json_line(cuset::base::parse_json(text, "again")) != text) std::abort();
  return 0;
}
