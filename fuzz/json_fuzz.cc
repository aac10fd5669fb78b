// parse_json: any bytes give a value or an Error; a value survives writing and reading again.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "base/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cuset::Json value;
  try {
    value = cuset::parse_json({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const cuset::Error&) {
    return 0;
  }
  const std::string text = cuset::to_json_line(value);
  if (cuset::to_json_line(cuset::parse_json(text, "again")) != text) std::abort();
  return 0;
}
