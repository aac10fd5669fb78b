#include "layers/layers.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::tests {
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

struct TableRow {
  std::string module_name;
  std::string may_use;
};

std::vector<TableRow> rows_of(std::string_view markdown) {
  static const std::regex pattern(R"(^\|\s*`?([a-z_]+)/`?\s*\|.*\|\s*([^|]+?)\s*\|\s*$)");
  std::vector<TableRow> rows;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) rows.push_back({match[1], match[2]});
  }
  return rows;
}

std::set<std::string> named_in(const std::string& list, const TableRow& row,
                               const std::set<std::string>& all) {
  std::set<std::string> named;
  for (const std::string& name : split(list, ',')) {
    if (name.empty() || name == "std" || name == "third-party") continue;
    if (name != kLibTorch && !all.contains(name))
      throw base::Error("{}/: '{}' in the table is not a module", row.module_name, name);
    named.insert(name);
  }
  return named;
}

std::set<std::string> uses_of(const TableRow& row, const std::set<std::string>& all,
                              const std::set<std::string>& above) {
  static const std::regex everything(R"((LibTorch, )?all( above)?( but (.*))?\s*)");
  const std::string listed = row.may_use.substr(0, row.may_use.find_first_of(";("));
  std::smatch match;
  if (!std::regex_match(listed, match, everything)) return named_in(listed, row, all);
  std::set<std::string> uses = match[2].matched ? above : all;
  if (match[1].matched) uses.insert(kLibTorch);
  for (const std::string& name : named_in(match[4], row, all)) uses.erase(name);
  return uses;
}

struct Include {
  int line = 0;
  std::string header;
  bool in_quotes = false;
};

std::vector<Include> includes_of(const fs::path& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  std::vector<Include> includes;
  std::istringstream stream(base::read_file(file));
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, pattern)) includes.push_back({number, match[2], match[1] == "\""});
  }
  return includes;
}

bool is_libtorch(const std::string& header) {
  return header.starts_with("torch/") || header.starts_with("ATen/") || header.starts_with("c10/");
}

// The module a header belongs to, kLibTorch, or nothing for standard and other third-party headers and for folders inside
// a module that is built as a tree of its own.
std::optional<std::string> owner_of(const Include& include, const AllowedUses& modules) {
  if (is_libtorch(include.header)) return kLibTorch;
  const size_t slash = include.header.find('/');
  if (!include.in_quotes || slash == std::string::npos) return std::nullopt;
  const std::string folder = include.header.substr(0, slash);
  return modules.contains(folder) ? std::optional(folder) : std::nullopt;
}

// Why `file` of a module may not have this include; nothing where it may.
std::optional<std::string> objection(const fs::path& file, const Include& include, const AllowedUses& uses) {
  const std::string module_name = file.begin()->string();
  if (include.header.find("..") != std::string::npos)
    return "includes name the module, never a relative path";
  if (include.in_quotes && include.header.starts_with("support/")) {
    return is_test(file) ? std::nullopt : std::optional("only tests may use tests/support");
  }
  const auto owner = owner_of(include, uses);
  // Compiled on the user's machine against the PyTorch there, and no part of the module's own library.
  if (owner == kLibTorch && file.string().starts_with("emulator/torch/")) return std::nullopt;
  if (!owner || *owner == module_name || uses.at(module_name).contains(*owner)) return std::nullopt;
  return fmt::format("{}/ may not use {}", module_name, *owner);
}

struct Step {
  fs::path file;
  Include include;
};

// For each folder, the folders it includes, each with one include as the witness.
using FolderGraph = std::map<std::string, std::map<std::string, Step>>;

FolderGraph folder_graph(const fs::path& source_folder) {
  FolderGraph graph;
  for (const fs::path& file : sources_below(source_folder)) {
    if (is_test(file)) continue;
    const std::string from = file.parent_path().string();
    for (const Include& include : includes_of(source_folder / file)) {
      const std::string to = fs::path(include.header).parent_path().string();
      if (!include.in_quotes || to == from || !fs::exists(source_folder / include.header)) continue;
      graph[from].try_emplace(to, Step{file, include});
    }
  }
  return graph;
}

// The folders of the shortest circle through `start`, which comes first; empty where there is none.
std::vector<std::string> shortest_circle(const FolderGraph& graph, const std::string& start) {
  std::map<std::string, std::string> came_from;
  std::deque<std::string> queue = {start};
  while (!queue.empty()) {
    const std::string folder = queue.front();
    queue.pop_front();
    const auto edges = graph.find(folder);
    if (edges == graph.end()) continue;
    for (const auto& [next, step] : edges->second) {
      if (next == start) {
        std::vector<std::string> circle = {folder};
        while (circle.back() != start) circle.push_back(came_from.at(circle.back()));
        std::reverse(circle.begin(), circle.end());
        return circle;
      }
      if (came_from.try_emplace(next, folder).second) queue.push_back(next);
    }
  }
  return {};
}

Violation circle_violation(const FolderGraph& graph, const std::vector<std::string>& circle) {
  std::vector<std::string> steps;
  for (size_t i = 0; i < circle.size(); ++i) {
    const Step& step = graph.at(circle[i]).at(circle[(i + 1) % circle.size()]);
    steps.push_back(
        fmt::format("{}:{} includes {}", step.file.string(), step.include.line, step.include.header));
  }
  const Step& first = graph.at(circle[0]).at(circle[1]);
  return {first.file, first.include.line,
          fmt::format("{} include each other in a circle: {}", fmt::join(circle, " and "),
                      fmt::join(steps, "; "))};
}

}  // namespace

std::string Violation::message() const {
  return line == 0 ? fmt::format("{}: {}", file.string(), text)
                   : fmt::format("{}:{}: {}", file.string(), line, text);
}

AllowedUses parse_module_table(std::string_view markdown) {
  const std::vector<TableRow> rows = rows_of(markdown);
  if (rows.empty()) throw base::Error("no table of modules found");
  std::set<std::string> all;
  for (const TableRow& row : rows) all.insert(row.module_name);
  AllowedUses uses;
  std::set<std::string> above;
  for (const TableRow& row : rows) {
    uses[row.module_name] = uses_of(row, all, above);
    above.insert(row.module_name);
  }
  return uses;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  static const std::set<std::string> kExtensions = {".cc", ".h", ".cu", ".cuh"};
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && kExtensions.contains(entry.path().extension().string()))
      sources.push_back(entry.path().lexically_relative(folder));
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

bool is_test(const fs::path& source) { return source.filename().string().ends_with("_test.cc"); }

std::vector<Violation> find_forbidden_includes(const fs::path& source_folder, const AllowedUses& uses) {
  std::vector<Violation> found;
  for (const auto& entry : fs::directory_iterator(source_folder)) {
    const std::string name = entry.path().filename().string();
    // A folder without a source is what version control leaves behind when a module goes.
    if (entry.is_directory() && !uses.contains(name) && !sources_below(entry.path()).empty())
      found.push_back({name, 0, "is not a module of the table"});
  }
  for (const fs::path& file : sources_below(source_folder)) {
    if (!uses.contains(file.begin()->string())) continue;
    for (const Include& include : includes_of(source_folder / file)) {
      if (const auto reason = objection(file, include, uses))
        found.push_back({file, include.line, fmt::format("includes {}: {}", include.header, *reason)});
    }
  }
  return found;
}

std::vector<Violation> find_include_circles(const fs::path& source_folder) {
  const FolderGraph graph = folder_graph(source_folder);
  std::vector<Violation> found;
  std::set<std::string> told;
  for (const auto& [folder, edges] : graph) {
    if (told.contains(folder)) continue;
    const std::vector<std::string> circle = shortest_circle(graph, folder);
    if (circle.empty()) continue;
    told.insert(circle.begin(), circle.end());
    found.push_back(circle_violation(graph, circle));
  }
  return found;
}

}  // namespace cuset::tests
