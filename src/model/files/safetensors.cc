#include "model/files/safetensors.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::model {

struct SafetensorsFile::Parts {
  explicit Parts(const std::filesystem::path& file)
      : path(file), mapping(file), header(read_safetensors_header(mapping.bytes(), file.string())) {
    for (const StoredTensor& tensor : header.tensors) by_name.emplace(tensor.name, &tensor);
  }

  std::span<const std::byte> bytes_of(const StoredTensor& tensor) const {
    return mapping.bytes().subspan(header.buffer_begin + tensor.begin, tensor.end - tensor.begin);
  }

  std::filesystem::path path;
  base::MappedFile mapping;
  SafetensorsHeader header;
  std::unordered_map<std::string_view, const StoredTensor*> by_name;
};

namespace {

// Advice is a hint: where the system refuses it, nothing is lost but time. Pages that the bytes share with
// their neighbors are left alone if `inner`.
void advise(std::span<const std::byte> bytes, int advice, bool inner) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t first = inner ? (begin + page - 1) / page * page : begin / page * page;
  const uintptr_t last = inner ? (begin + bytes.size()) / page * page : begin + bytes.size();
  if (first >= last) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, advice);  // NOLINT(performance-no-int-to-ptr)
}

SafetensorsHeader header_of(const std::vector<NamedTensor>& tensors) {
  SafetensorsHeader header;
  std::unordered_set<std::string_view> names;
  uint64_t place = 0;
  for (const auto& [name, tensor] : tensors) {
    CUSET_CHECK(names.insert(name).second && name != "__metadata__", "cannot write a tensor called {}", name);
    const uint64_t end = place + tensor.nbytes();
    header.tensors.push_back({name, tensor.scalar_type(), tensor.sizes().vec(), place, end});
    place = end;
  }
  return header;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : parts_(std::make_unique<Parts>(path)) {}
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&&) noexcept = default;
SafetensorsFile::~SafetensorsFile() = default;

const std::filesystem::path& SafetensorsFile::path() const { return parts_->path; }

const std::vector<StoredTensor>& SafetensorsFile::tensors() const { return parts_->header.tensors; }

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
  const auto found = parts_->by_name.find(name);
  return found == parts_->by_name.end() ? nullptr : found->second;
}

const std::vector<std::pair<std::string, std::string>>& SafetensorsFile::metadata() const {
  return parts_->header.metadata;
}

torch::Tensor SafetensorsFile::view(const StoredTensor& tensor) const {
  const std::span<const std::byte> bytes = parts_->bytes_of(tensor);
  if (reinterpret_cast<uintptr_t>(bytes.data()) % torch::elementSize(tensor.type) != 0) {
    torch::Tensor copy = torch::empty(tensor.shape, tensor.type);
    if (!bytes.empty()) std::memcpy(copy.data_ptr(), bytes.data(), bytes.size());
    return copy;
  }
  // LibTorch has no read-only tensors; the mapping itself refuses writes.
  return torch::from_blob(const_cast<std::byte*>(bytes.data()), tensor.shape, tensor.type);
}

void SafetensorsFile::read_ahead(const StoredTensor& tensor) const {
  advise(parts_->bytes_of(tensor), MADV_WILLNEED, false);
}

void SafetensorsFile::release(const StoredTensor& tensor) const {
  advise(parts_->bytes_of(tensor), MADV_DONTNEED, true);
}

void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                       std::vector<std::pair<std::string, std::string>> metadata) {
  SafetensorsHeader header = header_of(tensors);
  const auto is_format = [](const auto& entry) { return entry.first == "format"; };
  if (std::none_of(metadata.begin(), metadata.end(), is_format)) metadata.emplace_back("format", "pt");
  header.metadata = std::move(metadata);
  base::AtomicFile file(path);
  file.write(safetensors_header_text(header));
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor values = tensor.detach().to(torch::kCPU).contiguous();
    file.write(std::span(static_cast<const std::byte*>(values.data_ptr()), values.nbytes()));
  }
  file.commit();
}

}  // namespace cuset::model
