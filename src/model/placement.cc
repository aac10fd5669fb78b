#include "model/placement.h"

#include <torch/cuda.h>

#include "base/error.h"

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

}  // namespace cuset::model
