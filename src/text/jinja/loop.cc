#include "text/jinja/loop.h"

namespace cuset::text::jinja {

bool Loop::advance() {
  Value item;
  if (!ahead.empty()) {
    item = std::move(ahead.front());
    ahead.pop_front();
  } else if (!source->next(item)) {
    return false;
  }
  ++index0;
  previous = std::move(current);
  current = std::move(item);
  return true;
}

const Value* Loop::peek() {
  if (ahead.empty()) {
    Value item;
    if (!source->next(item)) return nullptr;
    ahead.push_back(std::move(item));
  }
  return &ahead.front();
}

size_t Loop::total_length() {
  if (!length) {
    for (Value item; source->next(item);) ahead.push_back(std::move(item));
    length = ahead.size() + static_cast<size_t>(index0 + 1);
  }
  return *length;
}

Value Loop::attribute(std::string_view name) {
  const auto total = [&] { return static_cast<int64_t>(total_length()); };
  if (name == "index") return index0 + 1;
  if (name == "index0") return index0;
  if (name == "first") return index0 == 0;
  if (name == "last") return peek() == nullptr;
  if (name == "length") return total();
  if (name == "revindex") return total() - index0;
  if (name == "revindex0") return total() - index0 - 1;
  if (name == "depth") return 1;
  if (name == "depth0") return 0;
  if (name == "previtem") return index0 == 0 ? undefined("there is no previous item") : previous;
  if (name == "nextitem") {
    const Value* item = peek();
    return item == nullptr ? undefined("there is no next item") : *item;
  }
  return {};
}

}  // namespace cuset::text::jinja
