// parse_config: any bytes give entries or a UsageError.
#include <cstdint>

#include "base/error.h"
#include "base/files/config_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    cuset::base::parse_config({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const cuset::base::UsageError&) {
    return 0;
  }
  return 0;
}
