// A macro (or the body of a call block) as a value: its code and the variables that surround it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/jinja/ast.h"

namespace cuset::text::jinja {

// The variables of one call of a function; `outer` are those of the function around it.
struct Activation {
  std::vector<Value> slots;
  std::shared_ptr<Activation> outer;
};

struct Macro {
  std::string name;
  const Function* function = nullptr;
  std::shared_ptr<Activation> closure;
};

}  // namespace cuset::text::jinja
