#include "cli/framework/installation.h"

#include <dlfcn.h>
#include <link.h>

#include <array>

#include "base/files/file.h"
#include "base/json/json.h"

namespace cuset::cli {

namespace fs = std::filesystem;

Installation find_installation(const fs::path& program_folder) {
  const fs::path home = program_folder.parent_path();
  const fs::path record = home / "share/cuset/installation.json";
  std::error_code failed;
  if (fs::exists(record, failed)) {
    const base::Json json = base::Json::parse(base::read_file(record), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return {"unknown", home};
    const std::string kind = json.value("kind", "unknown");
    const bool is_wheel = kind == "wheel";
    return {kind, is_wheel ? home : home.parent_path().parent_path()};
  }
  if (fs::exists(home / "CMakeCache.txt", failed)) return {"build tree", home};
  return {"unknown", home};
}

std::string Installation::text() const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTexts = {
      {{"wheel", "Python wheel in"},
       {"prefix", "installed under"},
       {"archive", "unpacked archive in"},
       {"build tree", "build tree"}}};
  for (const auto& [name, words] : kTexts)
    if (name == kind) return std::string(words) + " " + folder.string();
  return "by hand in " + folder.string();
}

fs::path loaded_libtorch() {
  void* library = ::dlopen("libtorch_cpu.so", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return {};
  const link_map* entry = nullptr;
  const bool is_known = ::dlinfo(library, RTLD_DI_LINKMAP, &entry) == 0;
  const fs::path file = is_known ? fs::path(entry->l_name) : fs::path();
  ::dlclose(library);
  std::error_code failed;
  return fs::weakly_canonical(file, failed).parent_path().parent_path();
}

}  // namespace cuset::cli
