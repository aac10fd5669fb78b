#include "execute/build/kernel_origins.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/kernel_name.h"
#include "base/lines.h"
#include "emulator/execution_record.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Of a source's own: relative names, and those below the folder. Links are no way out of it: there are none.
bool is_file_of(const fs::path& folder, const fs::path& file) {
  if (file.empty()) return false;
  const fs::path place = (file.is_absolute() ? file : folder / file).lexically_normal();
  const fs::path below = place.lexically_relative(folder.lexically_normal());
  return !below.empty() && *below.begin() != ".." && *below.begin() != ".";
}

// A run records either, cut to the length that a record has.
std::vector<std::string> recorded_names(const std::string& mangled) {
  std::vector<std::string> names{base::kernel_signature(mangled.c_str()), base::kernel_name(mangled.c_str())};
  for (std::string& name : names) name.resize(std::min(name.size(), sizeof(CusetKernelRecord::name) - 1));
  return names;
}

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '$';
}

bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r'; }

bool is_marker(std::string_view text, size_t line) { return text.substr(line).starts_with("# "); }

// What stands before the word at `at`, beyond spaces and line markers; 0: nothing.
char letter_before(std::string_view text, size_t at) {
  while (at > 0) {
    if (!is_space(text[at - 1])) {
      const size_t end = text.rfind('\n', at - 1), line = end == text.npos ? 0 : end + 1;
      if (!is_marker(text, line)) return text[at - 1];
      at = line;
    } else {
      --at;
    }
  }
  return 0;
}

char letter_behind(std::string_view text, size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at < text.size() ? text[at] : '\0';
}

// The attribute of kernels is called `global` or `__global__`. It is something else in a text of assembly ("ld.global"), and
// where a function has that name (std::locale::global).
bool names_attribute(std::string_view text, size_t at) {
  size_t begin = at, end = at + std::string_view("global").size();
  while (begin > 0 && is_word_letter(text[begin - 1])) --begin;
  while (end < text.size() && is_word_letter(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  if (word != "global" && word != "__global__") return false;
  if (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '"')) return false;
  return !(is_word_letter(letter_before(text, begin)) && letter_behind(text, end) == '(');
}

// The file of a line marker, `12 "answer.cu" 2` behind its "# "; nothing where it is another line.
std::optional<std::string_view> file_of_marker(std::string_view marker) {
  const size_t digits = marker.find_first_not_of("0123456789");
  if (digits == 0 || digits == marker.npos || !marker.substr(digits).starts_with(" \"")) return std::nullopt;
  const std::string_view name = marker.substr(digits + 2);
  return name.substr(0, name.find('"'));
}

// The file of the last line marker before `at`; empty where there is none.
std::string_view marked_file(std::string_view text, size_t at) {
  while (true) {
    const size_t end = text.rfind('\n', at), line = end == text.npos ? 0 : end + 1;
    if (is_marker(text, line)) {
      const std::string_view rest = text.substr(line + 2);
      if (const auto file = file_of_marker(rest.substr(0, rest.find('\n')))) return *file;
    }
    if (line == 0) return {};
    at = end - 1;
    if (end == 0) return {};
  }
}

// The number after `word` in a line that begins with it: 2 of ".loc 2 14 0"; 0: another line.
uint32_t number_after(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return 0;
  line.remove_prefix(word.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  uint32_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

// "name" of ".visible .entry name(" and ".weak .entry name()"; empty: another line.
std::string_view entry_name(std::string_view line) {
  constexpr std::string_view kEntry = ".entry ";
  const size_t at = line.find(kEntry);
  if (!line.starts_with('.') || at == line.npos) return {};
  const std::string_view name = line.substr(at + kEntry.size());
  return name.substr(0, name.find_first_of("( \t"));
}

std::string quoted_part(std::string_view line) {
  const size_t begin = line.find('"');
  if (begin == line.npos) return "";
  return std::string(line.substr(begin + 1, line.find('"', begin + 1) - begin - 1));
}

}  // namespace

std::vector<KernelOrigin> parse_kernel_files(std::string_view text) {
  std::vector<KernelOrigin> origins;
  for (const std::string_view line : base::lines_of(text)) {
    const size_t tab = line.find('\t');
    if (tab == line.npos) continue;
    origins.push_back({std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
  }
  return origins;
}

std::vector<KernelOrigin> parse_ptx_origins(std::string_view ptx) {
  struct Entry {
    std::string name;
    uint32_t file = 0;  // 0: not known
  };
  std::vector<Entry> entries;
  std::map<uint32_t, std::string> files;
  bool is_at_start = false;  // of an entry whose first line is not known yet
  for (const std::string_view whole_line : base::lines_of(ptx)) {
    const std::string_view line = without_indent(whole_line);
    if (const std::string_view name = entry_name(line); !name.empty()) {
      entries.push_back({std::string(name)});
      is_at_start = true;
    } else if (const uint32_t file = number_after(line, ".file"); file != 0) {
      const auto [known, is_new] = files.try_emplace(file, quoted_part(line));
      if (!is_new && known->second != quoted_part(line)) known->second.clear();
    } else if (const uint32_t place = number_after(line, ".loc"); is_at_start && place != 0) {
      if (line.find("inlined_at") == line.npos) entries.back().file = place;
      is_at_start = entries.back().file == 0;
    } else if (line.find("inline asm") != line.npos) {
      is_at_start = false;
    }
  }
  std::vector<KernelOrigin> origins;
  for (Entry& entry : entries) origins.push_back({std::move(entry.name), files[entry.file]});
  return origins;
}

bool may_include_library(std::string_view source) {
  for (const std::string_view line : base::lines_of(source)) {
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') continue;
    const bool includes = line.find("include") != line.npos;
    if (includes && line.find_first_of("/", hash) != line.npos) return true;
    if (includes && line.find(".cuh") != line.npos) return true;
  }
  return false;
}

bool may_hold_library_kernels(std::string_view preprocessed, const fs::path& folder) {
  for (size_t at = preprocessed.find("global"); at != preprocessed.npos;
       at = preprocessed.find("global", at + 1)) {
    if (names_attribute(preprocessed, at) && !is_file_of(folder, marked_file(preprocessed, at))) return true;
  }
  return false;
}

std::vector<std::string> own_kernel_names(const std::vector<KernelOrigin>& origins, const fs::path& folder) {
  std::set<std::string> own, others;
  for (const KernelOrigin& origin : origins) {
    const std::vector<std::string> names = recorded_names(origin.name);
    (is_file_of(folder, origin.file) ? own : others).insert(names.begin(), names.end());
  }
  std::vector<std::string> only_own;
  std::set_difference(own.begin(), own.end(), others.begin(), others.end(), std::back_inserter(only_own));
  return only_own;
}

bool has_library_kernels(const std::vector<KernelOrigin>& origins, const fs::path& folder) {
  return std::any_of(origins.begin(), origins.end(),
                     [&](const KernelOrigin& origin) { return !is_file_of(folder, origin.file); });
}

}  // namespace cuset::execute
