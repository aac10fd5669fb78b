// Failures, in two kinds.
//
// Error: the run cannot continue (a missing file, truncated weights, a full disk). It says what was wanted and
// what was found, and carries a remedy: what the user can do next. Only main() catches it, prints one line
// and returns 1. UsageError is an Error made by a wrong command line or configuration; main() returns 2 for
// it.
//
// CUSET_CHECK: our own bug. The message names the place; main() asks for a report.
// (Not named CHECK because LibTorch's logging header defines that macro.)
//
// Outcomes that are expected (a kernel that does not compile, a source without a kernel) are values, never
// exceptions.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace cuset::base {

class Error : public std::runtime_error {
 public:
  template <typename... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}

  // Adds what the user can do about it: `throw Error("no such file: {}", path).with_remedy("check --model");`
  template <typename... Args>
  Error&& with_remedy(fmt::format_string<Args...> format, Args&&... args) && {
    remedy_ = fmt::format(format, std::forward<Args>(args)...);
    return std::move(*this);
  }

  const std::string& remedy() const { return remedy_; }

  // "message (remedy)", on one line.
  std::string one_line() const;

 private:
  std::string remedy_;
};

class UsageError : public Error {
 public:
  using Error::Error;

  // As Error's, but what is thrown stays a UsageError.
  template <typename... Args>
  UsageError&& with_remedy(fmt::format_string<Args...> format, Args&&... args) && {
    std::move(static_cast<Error&>(*this)).with_remedy(format, std::forward<Args>(args)...);
    return std::move(*this);
  }
};

// Thrown by CUSET_CHECK.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

// The message of an errno value, as "No space left on device".
std::string errno_text(int error_number);

// `text` with control characters and invalid bytes escaped and cut to `limit` bytes, fit for a one-line
// message. Text that holds double quotes (JSON, most often) stands between single ones, so that it reads as it was
// written.
std::string in_quotes(std::string_view text, size_t limit = 60);

}  // namespace cuset::base

// CUSET_CHECK(rows > 0, "rows = {}", rows);
#define CUSET_CHECK(condition, ...)                                                          \
  do {                                                                                       \
    if (!(condition)) [[unlikely]]                                                           \
      ::cuset::base::check_failed(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)
