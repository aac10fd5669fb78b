// What tests of messages compare: the line that a user would see.
#pragma once

#include <string>

#include "base/error.h"

namespace cuset::support {

// The one-line message of the Error that `action` throws; "no error" where it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.one_line();
  }
  return "no error";
}

}  // namespace cuset::support
