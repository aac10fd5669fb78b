// The header of safetensors files: any bytes give tensors that cover the buffer, or an Error; what is read
// can be written and gives the same tensors again.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "base/error.h"
#include "model/files/safetensors_header.h"

namespace {

void check_cover(const cuset::model::SafetensorsHeader& header, size_t size) {
  uint64_t place = 0;
  for (const cuset::model::StoredTensor& tensor : header.tensors) {
    if (tensor.begin != place || tensor.end < tensor.begin) std::abort();
    uint64_t bytes = torch::elementSize(tensor.type);
    for (const int64_t length : tensor.shape) bytes *= static_cast<uint64_t>(length);
    if (tensor.end - tensor.begin != bytes) std::abort();
    place = tensor.end;
  }
  if (header.buffer_begin + place != size) std::abort();
}

void check_round_trip(const cuset::model::SafetensorsHeader& header) {
  std::string copy = cuset::model::safetensors_header_text(header);
  copy.append(header.tensors.empty() ? 0 : header.tensors.back().end, '\0');
  const auto again =
      cuset::model::read_safetensors_header(std::as_bytes(std::span(copy.data(), copy.size())), "copy");
  if (again.tensors.size() != header.tensors.size()) std::abort();
  for (size_t i = 0; i < again.tensors.size(); ++i) {
    if (again.tensors[i].name != header.tensors[i].name) std::abort();
    if (again.tensors[i].shape != header.tensors[i].shape) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto header = cuset::model::read_safetensors_header(std::as_bytes(std::span(data, size)), "input");
    check_cover(header, size);
    check_round_trip(header);
  } catch (const cuset::base::Error&) {
  }
  return 0;
}
