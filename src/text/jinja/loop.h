// The `loop` variable of a for loop: Jinja's LoopContext. Items are drawn one by one, because a loop's `if`
// may look at what the body has set; loop.last and loop.nextitem draw one item early, loop.length draws the
// rest.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "text/jinja/value.h"

namespace cuset::text::jinja {

struct Loop {
  std::shared_ptr<Iterator> source;
  // Items drawn early.
  std::deque<Value> ahead;
  std::optional<size_t> length;
  int64_t index0 = -1;
  Value current;
  Value previous;
  Value last_changed;
  int depth = 1;

  // Moves to the next item; false at the end.
  bool advance();
  // The item after the current one, or null.
  const Value* peek();
  size_t total_length();
  // loop.index, loop.first ...; Missing for a name that the loop does not have.
  Value attribute(std::string_view name);
};

}  // namespace cuset::text::jinja
