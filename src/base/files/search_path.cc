#include "base/files/search_path.h"

#include <algorithm>
#include <cstdlib>

namespace cuset::base {

std::filesystem::path program_folder() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

std::vector<std::filesystem::path> search_path_folders(std::string_view list) {
  std::vector<std::filesystem::path> folders;
  while (!list.empty()) {
    const size_t end = std::min(list.find(':'), list.size());
    std::filesystem::path folder = list.substr(0, end);
    if (folder.is_absolute()) folders.push_back(std::move(folder));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return folders;
}

std::vector<std::filesystem::path> search_path_folders() {
  const char* list = std::getenv("PATH");
  return search_path_folders(list == nullptr ? "/usr/bin:/bin" : list);
}

}  // namespace cuset::base
