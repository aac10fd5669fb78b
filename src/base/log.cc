#include "base/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "base/console.h"
#include "base/error.h"

namespace cuset::base {
namespace {

using spdlog::level::level_enum;

level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return level_enum::debug;
    case LogLevel::kInfo:
      return level_enum::info;
    case LogLevel::kWarning:
      return level_enum::warn;
    case LogLevel::kError:
      return level_enum::err;
    case LogLevel::kSilent:
      break;
  }
  return level_enum::off;
}

std::string_view name_of(level_enum level) {
  if (level == level_enum::debug) return "debug: ";
  if (level == level_enum::warn) return "warning: ";
  if (level == level_enum::err) return "error: ";
  return "";
}

std::string_view color_of(level_enum level) {
  if (level == level_enum::warn) return "\x1b[1;33m";  // bold yellow
  if (level == level_enum::err) return "\x1b[1;31m";   // bold red
  return "\x1b[2m";                                    // faint
}

std::string prefix_of(level_enum level, bool color) {
  const std::string_view name = name_of(level);
  if (name.empty() || !color) return std::string(name);
  return std::string(color_of(level)) + std::string(name) + "\x1b[0m";
}

class ConsoleSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    Console& console = standard_console();
    const std::string_view text(message.payload.data(), message.payload.size());
    console.print_line(prefix_of(message.level, console.has_color()) + printable(text, true));
  }
  void flush_() override {}
};

// "2025-03-01T12:00:00.123 warning: text". The level's name is ours, not spdlog's.
class FileLine final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    date_.format(message, line);
    const std::string_view name = name_of(message.level);
    line.append(name.data(), name.data() + name.size());
    line.append(message.payload.begin(), message.payload.end());
    line.push_back('\n');
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<FileLine>(); }

 private:
  spdlog::pattern_formatter date_{"%Y-%m-%dT%H:%M:%S.%e ", spdlog::pattern_time_type::local, ""};
};

// The two outputs. spdlog's own list of sinks may not change while others log, so that the file is kept
// aside.
class Log {
 public:
  Log() { set_level(LogLevel::kInfo); }

  LogLevel level() const { return level_; }

  void set_level(LogLevel level) {
    level_ = level;
    console_.set_level(spdlog_level(level));
  }

  void set_file(std::shared_ptr<spdlog::sinks::sink> file) {
    const std::lock_guard guard(mutex_);
    file_ = std::move(file);
  }

  bool wants(LogLevel level) {
    const LogLevel lowest = current_file() ? std::min(level_.load(), LogLevel::kInfo) : level_.load();
    return level >= lowest && level != LogLevel::kSilent;
  }

  void write(LogLevel level, std::string_view text) {
    const spdlog::details::log_msg message("", spdlog_level(level),
                                           spdlog::string_view_t(text.data(), text.size()));
    if (level >= level_) console_.log(message);
    const std::shared_ptr<spdlog::sinks::sink> file = current_file();
    if (!file) return;
    file->log(message);
    file->flush();
  }

 private:
  std::shared_ptr<spdlog::sinks::sink> current_file() {
    const std::lock_guard guard(mutex_);
    return file_;
  }

  std::atomic<LogLevel> level_;
  ConsoleSink console_;
  std::mutex mutex_;
  std::shared_ptr<spdlog::sinks::sink> file_;
};

Log& the_log() {
  static Log log;
  return log;
}

}  // namespace

void set_log_level(LogLevel level) { the_log().set_level(level); }

LogLevel log_level() { return the_log().level(); }

void set_log_file(const std::filesystem::path& path) {
  if (path.empty()) return the_log().set_file(nullptr);
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
    file->set_formatter(std::make_unique<FileLine>());
    the_log().set_file(std::move(file));
  } catch (const spdlog::spdlog_ex& error) {
    throw Error("cannot open the log file {}: {}", path.string(), error.what()).with_remedy("check the path");
  }
}

bool log_wanted(LogLevel level) { return the_log().wants(level); }

void write_log(LogLevel level, std::string_view text) {
  try {
    the_log().write(level, text);
  } catch (const std::exception& error) {
    standard_console().print_line(fmt::format("error: the log failed: {}", error.what()));
  }
}

}  // namespace cuset::base
