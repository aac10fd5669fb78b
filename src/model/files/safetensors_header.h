// The header of a safetensors file: which tensors the file has, of what type and shape, and where.
//
// It is read by events, without a tree of JSON values, so that a hostile header of 100 MB costs a second and
// no gigabytes, and so that repeated names are seen.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuset::model {

struct StoredTensor {
  std::string name;
  torch::ScalarType type;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // bytes of the buffer
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  // in the order of the buffer
  std::vector<std::pair<std::string, std::string>> metadata;
  size_t buffer_begin = 0;  // in the file
};

// Reads and checks the header of a file's bytes. Throws Error naming `file`, the tensor and what is wrong.
SafetensorsHeader read_safetensors_header(std::span<const std::byte> bytes, std::string_view file);

// The length, the JSON and its padding to a multiple of 8 bytes. Offsets are taken from the tensors; a type
// that safetensors does not have is our bug.
std::string safetensors_header_text(const SafetensorsHeader& header);

// "[2, 3]".
std::string shown_shape(std::span<const int64_t> shape);

}  // namespace cuset::model
