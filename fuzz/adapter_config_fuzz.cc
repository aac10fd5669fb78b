// adapter_config.json: any bytes give settings that can be computed with, or an Error.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "model/adapter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const cuset::base::Json json =
        cuset::base::parse_json({reinterpret_cast<const char*>(data), size}, "input");
    const cuset::model::LoraSettings settings = cuset::model::adapter_from_config(json, "input").settings;
    if (settings.rank < 1 || !std::isfinite(settings.scale()) || !(settings.scale() > 0)) std::abort();
    if (!(settings.dropout >= 0 && settings.dropout < 1)) std::abort();
  } catch (const cuset::base::Error&) {
  }
  return 0;
}
