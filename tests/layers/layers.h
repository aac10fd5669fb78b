// The rules of the source layout: who includes whom.
//
// The table of modules in docs/architecture.md has rows "| module/ | contents | may use |". The last cell is a list of
// modules, "third-party" and "LibTorch", or reads "all", "all but x, y", "all above" (the rows before) or "all above but x",
// where "LibTorch, all" adds LibTorch. What follows ';' or '(' is a remark. A module may always include itself.
//
// Folders, those of modules and those inside them, include each other in one direction only. Tests are leaves that nobody
// includes; they obey the table, but make no circles.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::tests {

struct Violation {
  std::filesystem::path file;  // below the folder that was searched
  int line = 0;                // 0: the file or folder as a whole
  std::string text;

  // "file:line: text"
  std::string message() const;
};

// For each module, the modules (and "LibTorch") it may include.
using AllowedUses = std::map<std::string, std::set<std::string>>;

// Reads the table out of Markdown text. Throws Error where there is none, or where it names an unknown module.
AllowedUses parse_module_table(std::string_view markdown);

// Every source (.cc, .h, .cu, .cuh) below `folder`, relative to it, in alphabetical order.
std::vector<std::filesystem::path> sources_below(const std::filesystem::path& folder);

// x_test.cc
bool is_test(const std::filesystem::path& source);

// Every #include below `source_folder` (whose folders are the modules) that the table does not allow, every include of
// tests/support outside a test, and every folder that is not a module of the table.
std::vector<Violation> find_forbidden_includes(const std::filesystem::path& source_folder,
                                               const AllowedUses& uses);

// Circles of includes between folders below `source_folder`, the shortest through each folder that is in one. The text
// names each step: "a/x and a/y include each other in a circle: a/x/1.h:3 includes a/y/2.h; a/y/3.cc:1 includes a/x/4.h".
std::vector<Violation> find_include_circles(const std::filesystem::path& source_folder);

}  // namespace cuset::tests
