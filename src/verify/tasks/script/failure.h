// How the interpreter says that it cannot go on. Neither leaves it: run_input_script turns both into Error.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace cuset::script {

// The script does something that is not understood, or that Python would refuse too. `line` 0: the statement
// being carried out.
class Failure : public std::runtime_error {
 public:
  template <typename... Args>
  explicit Failure(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}

  static Failure at_line(int line, const std::string& message) {
    Failure failure("{}", message);
    failure.line = line;
    return failure;
  }

  int line = 0;
};

// Time, memory or depth is spent. Unlike a Failure, no statement survives it.
class OutOfBudget : public Failure {
 public:
  using Failure::Failure;
};

// The script ends itself: exit(), sys.exit(), raise SystemExit.
struct ScriptExit {};

}  // namespace cuset::script
