#include "serve/generation/adapter_names.h"

#include <algorithm>

#include "base/error.h"
#include "base/last_part.h"

namespace cuset::serve {

NamedAdapter named_adapter_from_text(const std::string& text) {
  const size_t equals = text.find('=');
  const NamedAdapter adapter = equals == std::string::npos
                                   ? NamedAdapter{base::last_part(text), text}
                                   : NamedAdapter{text.substr(0, equals), text.substr(equals + 1)};
  if (adapter.name.empty() || adapter.folder.empty()) {
    throw base::UsageError("--adapter: {} has no name or no folder", base::in_quotes(text))
        .with_remedy("write NAME=FOLDER");
  }
  return adapter;
}

AdapterNames::Place AdapterNames::free_place() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].is_free) continue;
    entries_[i].is_free = false;
    return {static_cast<int64_t>(i), false};
  }
  entries_.emplace_back();
  return {std::ssize(entries_) - 1, true};
}

void AdapterNames::assign(const NamedAdapter& adapter, int64_t number) {
  remove(adapter.name);
  Entry& entry = entries_.at(static_cast<size_t>(number));
  entry.adapter = adapter;
  entry.is_named = true;
  numbers_[adapter.name] = number;
}

bool AdapterNames::remove(const std::string& name) {
  const auto place = numbers_.find(name);
  if (place == numbers_.end()) return false;
  entries_.at(static_cast<size_t>(place->second)).is_named = false;
  numbers_.erase(place);
  return true;
}

std::optional<int64_t> AdapterNames::hold(const std::string& name) {
  const auto place = numbers_.find(name);
  if (place == numbers_.end()) return std::nullopt;
  ++entries_.at(static_cast<size_t>(place->second)).users;
  return place->second;
}

void AdapterNames::release(int64_t number) {
  Entry& entry = entries_.at(static_cast<size_t>(number));
  CUSET_CHECK(entry.users > 0, "adapter {} is released too often", number);
  --entry.users;
}

std::vector<int64_t> AdapterNames::take_unused() {
  std::vector<int64_t> unused;
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.is_named || entry.is_free || entry.users > 0) continue;
    entry.is_free = true;
    unused.push_back(static_cast<int64_t>(i));
  }
  return unused;
}

size_t AdapterNames::taken() const {
  return static_cast<size_t>(std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.is_named || entry.users > 0;
  }));
}

std::vector<NamedAdapter> AdapterNames::list() const {
  std::vector<NamedAdapter> all;
  for (const auto& [name, number] : numbers_) all.push_back(entries_[static_cast<size_t>(number)].adapter);
  return all;
}

}  // namespace cuset::serve
