// config.json: any bytes give a configuration that makes sense, or an Error.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "model/files/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const cuset::base::Json json =
        cuset::base::parse_json({reinterpret_cast<const char*>(data), size}, "input");
    const cuset::model::ModelConfig config = cuset::model::model_config_from_json(json, "input");
    if (config.heads % config.kv_heads != 0 || config.head_dim % 2 != 0) std::abort();
    if (!(config.rope_theta > 0) || config.parameters() <= 0) std::abort();
    if (cuset::model::rotary_frequencies(config).numel() != config.head_dim / 2) std::abort();
  } catch (const cuset::base::Error&) {
  }
  return 0;
}
