// safetensors: u64 little-endian header length, JSON header {"name": {"dtype", "shape", "data_offsets"}, ...,
// "__metadata__": {text: text}}, buffer. docs/model-folders.md has the rules.
//
// Everything is checked before a byte of the buffer is used (safetensors_header.h): the header's length (at
// most 100 MB), its JSON, known types, sizes that agree with shapes, offsets that cover the buffer without
// holes or overlap.
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/safetensors_header.h"

namespace cuset::model {

class SafetensorsFile {
 public:
  // Maps and checks the file. Throws Error naming the file, the tensor and what is wrong.
  explicit SafetensorsFile(const std::filesystem::path& path);
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;
  ~SafetensorsFile();

  const std::filesystem::path& path() const;
  const std::vector<StoredTensor>& tensors() const;  // in the order of the buffer
  const StoredTensor* find(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& metadata() const;

  // The tensor's bytes in the mapped file, without a copy; read-only, valid while this object lives. Only a
  // tensor that the file places at an address unfit for its type is copied.
  torch::Tensor view(const StoredTensor& tensor) const;

  // Hints for reading a large file once: begin to read the tensor's pages; give its pages back to the system.
  // Views stay valid: a page that is touched again is read again.
  void read_ahead(const StoredTensor& tensor) const;
  void release(const StoredTensor& tensor) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct NamedTensor {
  std::string name;
  torch::Tensor tensor;
};

// Writes through a temporary file and a rename. Tensors may be on any device; they are written in the order
// given, contiguous, one at a time, so that no second copy of them all is held. `metadata` gets "format":
// "pt" added. Names that appear twice and types that safetensors does not have are our bug.
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                       std::vector<std::pair<std::string, std::string>> metadata = {});

}  // namespace cuset::model
