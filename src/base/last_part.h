// The last part of a path that names something.
#pragma once

#include <filesystem>
#include <string>

namespace cuset::base {

// "sft" of "runs/sft", "runs/sft/" and "runs/sft/."; empty where the path, as ".", names nothing.
inline std::string last_part(const std::filesystem::path& path) {
  const std::filesystem::path whole = path.lexically_normal();
  const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return name == "." || name == ".." ? "" : name;
}

}  // namespace cuset::base
