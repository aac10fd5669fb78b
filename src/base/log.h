// Messages to the person at the terminal, on standard error: "warning: results.jsonl: removed a torn last
// line". Information stands alone, other levels open with their name, in color where Console::has_color().
// Lines go above a progress bar. A log file, if set, gets the same lines with date and time.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace cuset::base {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kSilent };

// What reaches the terminal; kInfo until set.
void set_log_level(LogLevel level);
LogLevel log_level();

// Also appends to `path`, from kInfo on or from the terminal's level where that is lower. An empty path ends
// it. Throws Error where the file cannot be opened.
void set_log_file(const std::filesystem::path& path);

// Whether a message of this level would go anywhere: formatting is skipped otherwise.
bool log_wanted(LogLevel level);

// Prints one message; a disk failure is never thrown to the caller. The text is formatted by the caller,
// because modules with LibTorch use the fmt headers that come with it.
void write_log(LogLevel level, std::string_view text);

template <typename... Args>
void log_at(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_wanted(level)) write_log(level, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kDebug, format, std::forward<Args>(args)...);
}

template <typename... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kInfo, format, std::forward<Args>(args)...);
}

template <typename... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kWarning, format, std::forward<Args>(args)...);
}

template <typename... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kError, format, std::forward<Args>(args)...);
}

}  // namespace cuset::base
