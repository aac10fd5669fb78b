#include "model/placement.h"

#include <torch/cuda.h>

#include "base/error.h"
#include "base/log.h"
#include "base/machine/cpu_instructions.h"

namespace cuset::model {

Placement Placement::resolve() const {
  CUSET_CHECK(device == "auto" || device == "cpu" || device == "cuda", "device {}", device);
  CUSET_CHECK(dtype == "auto" || dtype == "float32" || dtype == "bfloat16", "dtype {}", dtype);
  const bool has_gpu = device != "cpu" && torch::cuda::is_available();
  if (device == "cuda" && !has_gpu) {
    throw base::Error("device is cuda, but LibTorch sees no GPU")
        .with_remedy("`cuset doctor` says what is missing");
  }
  const std::string usual = has_gpu ? "bfloat16" : "float32";
  return {.device = has_gpu ? "cuda" : "cpu", .dtype = dtype == "auto" ? usual : dtype, .threads = threads};
}

void warn_of_slow_type(const Placement& placement) {
  if (placement.is_gpu() || !placement.is_bfloat16() || base::has_bfloat16_products()) return;
  base::log_warning(
      "this CPU has no instructions for bfloat16, so every number is converted: dtype: float32 is several times faster, for "
      "twice the memory");
}

}  // namespace cuset::model
