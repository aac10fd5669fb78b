#include "cli/framework/command_record.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/utc_time.h"
#include "cli/framework/version.h"

namespace cuset::cli {
namespace {

constexpr std::string_view kUnquoted =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";

std::string for_shell(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kUnquoted) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string arguments_of_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::string command_line_of(std::string_view arguments) {
  std::string line;
  while (!arguments.empty()) {
    const size_t end = std::min(arguments.find('\0'), arguments.size());
    const std::string_view word = arguments.substr(0, end);
    line += line.empty() ? for_shell(word.substr(word.rfind('/') + 1)) : " " + for_shell(word);
    arguments.remove_prefix(std::min(end + 1, arguments.size()));
  }
  return line;
}

base::Json command_record(std::string_view command, const Settings& settings) {
  return {{"command", command},
          {"command_line", command_line_of(arguments_of_process())},
          {"started", base::utc_time_now()},
          {"version", program_version()},
          {"revision", git_revision()},
          {"settings", settings.to_json()}};
}

}  // namespace cuset::cli
