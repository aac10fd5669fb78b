// Messages to the person at the terminal, on standard error: "warning: results.jsonl: removed a torn last
// line". Information stands alone, other levels open with their name, in colour where Console::has_colour().
// Lines go above a progress bar. A log file, if set, gets the same lines with date and time.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <utility>

namespace cuset {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kSilent };

// What reaches the terminal; kInfo until set.
void set_log_level(LogLevel level);
LogLevel log_level();

// Also appends to `path`, from kInfo on or from the terminal's level where that is lower. An empty path ends
// it. Throws Error where the file cannot be opened.
void set_log_file(const std::filesystem::path& path);

// Formats and prints one message; a formatting or disk failure is never thrown to the caller.
void write_log(LogLevel level, fmt::string_view format, fmt::format_args args);

template <typename... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  write_log(LogLevel::kDebug, format, fmt::make_format_args(args...));
}

template <typename... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  write_log(LogLevel::kInfo, format, fmt::make_format_args(args...));
}

template <typename... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  write_log(LogLevel::kWarning, format, fmt::make_format_args(args...));
}

template <typename... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  write_log(LogLevel::kError, format, fmt::make_format_args(args...));
}

}  // namespace cuset
