#include "layers/layers.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/file.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

const std::string kLibTorch = "LibTorch";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const size_t first = part.find_first_not_of(" \t`");
    const size_t last = part.find_last_not_of(" \t`");
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

struct Row {
  std::string room;
  std::string may_use;
};

std::vector<Row> rows_of(std::string_view markdown) {
  static const std::regex pattern(R"(^\|\s*`?([a-z_]+)/`?\s*\|.*\|\s*([^|]+?)\s*\|\s*$)");
  std::vector<Row> rows;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) rows.push_back({match[1], match[2]});
  }
  return rows;
}

std::set<std::string> uses_of(const Row& row, const std::set<std::string>& rooms) {
  std::set<std::string> uses;
  std::string listed = row.may_use.substr(0, row.may_use.find(';'));
  const bool all = listed.starts_with("all");
  if (all) {
    uses = rooms;
    listed = listed.starts_with("all but ") ? listed.substr(8) : "";
  }
  for (const std::string& name : split(listed, ',')) {
    if (name.empty() || name == "std" || name == "third-party") continue;
    if (name != kLibTorch && !rooms.contains(name))
      throw Error("{}/: '{}' in the table is no room", row.room, name);
    if (all) {
      uses.erase(name);
    } else {
      uses.insert(name);
    }
  }
  return uses;
}

bool is_libtorch(const std::string& header) {
  return header.starts_with("torch/") || header.starts_with("ATen/") || header.starts_with("c10/");
}

// The room a header belongs to, kLibTorch, or nothing for standard and other third-party headers and for
// folders inside a room that is built as a tree of its own.
std::optional<std::string> owner_of(const std::string& header, bool in_quotes, const AllowedUses& rooms) {
  if (is_libtorch(header)) return kLibTorch;
  const size_t slash = header.find('/');
  if (!in_quotes || slash == std::string::npos) return std::nullopt;
  const std::string folder = header.substr(0, slash);
  return rooms.contains(folder) ? std::optional(folder) : std::nullopt;
}

void check_file(const fs::path& file, const std::string& room, const AllowedUses& uses,
                std::vector<ForbiddenInclude>& found) {
  const std::set<std::string>& allowed = uses.at(room);
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  std::istringstream stream(read_file(file));
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_match(line, match, pattern)) continue;
    const bool in_quotes = match[1] == "\"";
    const std::string header = match[2];
    if (header.find("..") != std::string::npos) {
      found.push_back({file, number, header, "includes name the room, never a relative path"});
      continue;
    }
    const auto owner = owner_of(header, in_quotes, uses);
    if (!owner || *owner == room || allowed.contains(*owner)) continue;
    found.push_back({file, number, header, fmt::format("{}/ may not use {}", room, *owner)});
  }
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".cc" || extension == ".h" || extension == ".cu" || extension == ".cuh";
}

}  // namespace

AllowedUses parse_table_of_rooms(std::string_view markdown) {
  const std::vector<Row> rows = rows_of(markdown);
  if (rows.empty()) throw Error("no table of rooms found");
  std::set<std::string> rooms;
  for (const Row& row : rows) rooms.insert(row.room);
  AllowedUses uses;
  for (const Row& row : rows) uses[row.room] = uses_of(row, rooms);
  return uses;
}

std::vector<ForbiddenInclude> find_forbidden_includes(const fs::path& source_folder,
                                                      const AllowedUses& uses) {
  std::vector<ForbiddenInclude> found;
  for (const auto& folder : fs::directory_iterator(source_folder)) {
    if (!folder.is_directory()) continue;
    const std::string room = folder.path().filename().string();
    if (!uses.contains(room)) {
      found.push_back({folder.path(), 0, "", fmt::format("{}/ is no room of the table", room)});
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (is_source(entry.path())) check_file(entry.path(), room, uses, found);
    }
  }
  return found;
}

}  // namespace cuset
