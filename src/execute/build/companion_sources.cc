#include "execute/build/companion_sources.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/files/remove_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

bool is_plain_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part[0] != '-' &&
         std::none_of(part.begin(), part.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

void write_companion(const fs::path& path, const std::string& name, const std::string& text) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!failed && file) return;
  throw base::Error("cannot write {} for a build", base::in_quotes(name))
      .with_remedy("no file may be the folder of another; is the disk full?");
}

}  // namespace

bool is_path_below(std::string_view path) {
  if (path.size() > 200) return false;
  for (;;) {
    const size_t slash = path.find('/');
    if (!is_plain_part(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

void lay_companions(const CompanionSources& companions, const fs::path& folder) {
  for (const auto& [name, text] : companions.files) {
    if (!is_path_below(name))
      throw base::Error("{} is not the path of a source file", base::in_quotes(name))
          .with_remedy("name a file below the task's folder");
    write_companion(folder / name, name, text);
  }
}

void add_to_key(CacheKey& key, const CompanionSources& companions) {
  for (const auto& [name, text] : companions.files) key.add("file", name).add("text", text);
  for (const std::string& source : companions.sources) key.add("compiled", source);
  for (const std::string& folder : companions.include_folders) key.add("searched", folder);
  if (companions.wrap_main) key.add("main", "wrapped");
}

void keep_only(const fs::path& folder, const std::vector<fs::path>& files) {
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool kept = std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
      return file.filename() == entry.path().filename();
    });
    if (!kept) others.push_back(entry.path());
  }
  for (const fs::path& path : others) base::remove_folder(path);
}

}  // namespace cuset::execute
