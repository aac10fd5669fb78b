// Which adapter of the model a name stands for, and who still uses it. The model has numbered places; a place is given
// to another adapter once its name is gone and its last request is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cuset::serve {

struct NamedAdapter {
  std::string name;
  std::filesystem::path folder;
};

// "NAME=FOLDER", or a folder, whose last part is then the name. Throws UsageError for what has no name.
NamedAdapter named_adapter_from_text(const std::string& text);

class AdapterNames {
 public:
  // The place for one more adapter: one that is free, or the next one, which `is_new`.
  struct Place {
    int64_t number = 0;
    bool is_new = false;
  };
  Place free_place();
  // Gives a place its name; another place of that name loses it.
  void assign(const NamedAdapter& adapter, int64_t number);
  // False where there is none.
  bool remove(const std::string& name);

  // The place of a name, which stays until it is released as often; nothing where there is none.
  std::optional<int64_t> hold(const std::string& name);
  void release(int64_t number);
  // Places that have neither a name nor a user, each told once.
  std::vector<int64_t> take_unused();

  // Places with an adapter: those that have a name, and others that are still used.
  size_t taken() const;
  bool contains(const std::string& name) const { return numbers_.contains(name); }
  std::vector<NamedAdapter> list() const;  // by name

 private:
  struct Entry {
    NamedAdapter adapter;
    bool is_named = false;
    bool is_free = false;
    size_t users = 0;
  };
  std::vector<Entry> entries_;  // by number
  std::map<std::string, int64_t> numbers_;
};

}  // namespace cuset::serve
