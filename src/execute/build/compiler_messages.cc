#include "execute/build/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuset::execute {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '+';
}

// Length of "tmpxft_00006d1f_00000000-6_" at the text's start; 0 where it is something else.
size_t temporary_prefix(std::string_view text) {
  static constexpr std::string_view kMark = "tmpxft_";
  if (!text.starts_with(kMark)) return 0;
  size_t at = kMark.size();
  for (const char separator : {'_', '-', '_'}) {
    const size_t digits = std::min(text.find_first_not_of("0123456789abcdef", at), text.size());
    if (digits == at || digits >= text.size() || text[digits] != separator) return 0;
    at = digits + 1;
  }
  return at;
}

bool ends_with_name(const std::string& text) { return !text.empty() && is_name_character(text.back()); }

// Removes the folders in front of a temporary file's name: all back to what cannot be part of a path.
void drop_folders(std::string& text) {
  while (!text.empty() && (is_name_character(text.back()) || text.back() == '/')) text.pop_back();
}

bool is_control(char c) { return (c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

}  // namespace

std::string name_in_sandbox(const std::filesystem::path& source) {
  static constexpr std::string_view kEndings[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c"};
  const std::string name = source.filename().string();
  const std::string ending = source.extension().string();
  const bool plain = !name.empty() && name.size() <= 100 && name[0] != '-' && name[0] != '.' &&
                     std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings) &&
                     std::all_of(name.begin(), name.end(), is_name_character);
  return plain ? name : "program.cu";
}

std::filesystem::path path_in_sandbox(const std::filesystem::path& folder) {
  const std::filesystem::path absolute = std::filesystem::absolute(folder);
  const bool leaves = std::find(absolute.begin(), absolute.end(), "..") != absolute.end();
  return leaves ? std::filesystem::weakly_canonical(absolute) : absolute;
}

std::string clean_messages(std::string_view messages, const std::filesystem::path& folder, size_t limit) {
  const std::string prefix = folder.string() + "/";
  std::string_view rest = messages.substr(0, limit);
  std::string text;
  while (!rest.empty()) {
    size_t taken = 1;
    if (prefix.size() > 1 && rest.starts_with(prefix)) {
      taken = prefix.size();
    } else if (const size_t temporary = temporary_prefix(rest)) {
      drop_folders(text);
      taken = temporary;
    } else {
      text += is_control(rest[0]) ? '?' : rest[0];
    }
    rest.remove_prefix(taken);
  }
  if (messages.size() > limit)
    text += fmt::format("\n... {} more bytes of messages\n", messages.size() - limit);
  return text;
}

std::string show_source(std::string_view messages, const std::filesystem::path& source) {
  const std::string compiled = name_in_sandbox(source);
  std::string text;
  while (!messages.empty()) {
    const size_t at = messages.find(compiled);
    text += messages.substr(0, at);
    if (at == messages.npos) break;
    messages.remove_prefix(at + compiled.size());
    const bool whole = !ends_with_name(text) && (messages.empty() || !is_name_character(messages[0]));
    text += whole ? source.string() : compiled;
  }
  return text;
}

std::string without_folder(std::string text, const std::filesystem::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
  return text;
}

}  // namespace cuset::execute
