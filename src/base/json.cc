#include "base/json.h"

#include "base/error.h"
#include "base/file.h"

namespace cuset {
namespace {

constexpr int kDeepestNesting = 512;

// "line 3, column 7" of a byte position.
std::string place_in(std::string_view text, size_t position) {
  position = std::min(position, text.size());
  const std::string_view before = text.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, position - line_start + 1);
}

// nlohmann's message without its "[json.exception.parse_error.101] " prefix and its own position.
std::string reason_of(const Json::parse_error& error) {
  std::string_view text = error.what();
  if (const size_t colon = text.find(": "); colon != std::string_view::npos) text.remove_prefix(colon + 2);
  return std::string(text);
}

}  // namespace

Json parse_json(std::string_view text, std::string_view name) {
  const auto refuse_deep_nesting = [&](int depth, Json::parse_event_t event, const Json&) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth > kDeepestNesting) {
      throw Error("{}: JSON nested deeper than {} levels", name, kDeepestNesting);
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_deep_nesting);
  } catch (const Json::parse_error& error) {
    const size_t position = error.byte == 0 ? 0 : error.byte - 1;
    throw Error("{}: not valid JSON at {}: {}", name, place_in(text, position), reason_of(error));
  } catch (const Json::exception& error) {
    throw Error("{}: not valid JSON: {}", name, error.what());
  }
}

Json read_json_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_json(file.text(), path.string());
}

std::string to_json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_json_file(const std::filesystem::path& path, const Json& value) {
  write_file_atomic(path, value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace cuset
