#include "generate/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "base/files/sha256.h"

namespace cuset::generate {
namespace {

namespace fs = std::filesystem;

constexpr size_t kWhole = size_t{64} << 20;
constexpr size_t kPart = size_t{1} << 20;

}  // namespace

std::string fingerprint_of(std::span<const fs::path> files) {
  base::Sha256 hash;
  for (const fs::path& path : files) {
    const base::MappedFile file(path);
    const std::string_view bytes = file.text();
    hash.update(fmt::format("{} {}\n", path.filename().string(), bytes.size()));
    if (bytes.size() <= kWhole) {
      hash.update(bytes);
    } else {
      hash.update(bytes.substr(0, kPart));
      hash.update(bytes.substr(bytes.size() - kPart));
    }
  }
  return hash.digest();
}

std::vector<fs::path> files_of_model(const fs::path& folder) {
  static const std::set<std::string> named = {"config.json", "generation_config.json", "tokenizer.json",
                                              "tokenizer_config.json", "chat_template.jinja"};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (named.contains(path.filename().string()) || path.extension() == ".safetensors") files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_of_adapter(const fs::path& folder) {
  return {folder / "adapter_config.json", folder / "adapter_model.safetensors"};
}

}  // namespace cuset::generate
