// The rule of the house: a room includes only what README.md's table of rooms allows it.
//
// The table's rows read "| room/ | what lives there | may use |". The last cell lists rooms, "third-party",
// "LibTorch", "all" or "all but x, y". A room may always include itself. A LibTorch header counts as the room
// "LibTorch".
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cuset {

// For each room, the rooms (and "LibTorch") it may include.
using AllowedUses = std::map<std::string, std::set<std::string>>;

// Reads the table out of Markdown text. Throws Error where there is none, or where it names an unknown room.
AllowedUses parse_table_of_rooms(std::string_view markdown);

struct ForbiddenInclude {
  std::filesystem::path file;
  int line = 0;
  std::string included;  // the header
  std::string reason;
};

// Every #include below `source_folder` (whose folders are the rooms) that the table does not allow, and every
// folder that is no room of the table.
std::vector<ForbiddenInclude> find_forbidden_includes(const std::filesystem::path& source_folder,
                                                      const AllowedUses& uses);

}  // namespace cuset
