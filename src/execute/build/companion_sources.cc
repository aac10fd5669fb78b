#include "execute/build/companion_sources.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/files/remove_folder.h"
#include "execute/objects/object_rules.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

bool is_plain_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part[0] != '-' &&
         std::none_of(part.begin(), part.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

void write_companion(const fs::path& path, const std::string& name, const std::string& text) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!failed && file) return;
  throw base::Error("cannot write {} for a build", base::in_quotes(name))
      .with_remedy("no file may be the folder of another; is the disk full?");
}

}  // namespace

bool is_path_below(std::string_view path) {
  if (path.size() > 200) return false;
  for (;;) {
    const size_t slash = path.find('/');
    if (!is_plain_part(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

void lay_companions(const CompanionSources& companions, const fs::path& folder) {
  for (const auto& [name, text] : companions.files) {
    if (!is_path_below(name))
      throw base::Error("{} is not the path of a source file", base::in_quotes(name))
          .with_remedy("name a file below the task's folder");
    write_companion(folder / name, name, text);
  }
  for (const auto& [name, text] : companions.plain_sources) write_companion(folder / name, name, text);
}

bool is_answer(const CompanionSources& companions, size_t index) {
  const auto& answers = companions.answers;
  if (index == 0) return answers.empty();
  return std::find(answers.begin(), answers.end(), companions.sources[index - 1]) != answers.end();
}

bool has_proven_kernels(const CompanionSources& companions) {
  return companions.isolation != Isolation::kNone && companions.isolation != Isolation::kTested;
}

size_t first_source(const CompanionSources& companions) { return companions.only_companions ? 1 : 0; }

bool is_host_source(const CompanionSources& companions, const std::string& name) {
  const auto& names = companions.host_sources;
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> include_folders_of(const CompanionSources& companions, size_t index) {
  std::vector<std::string> folders = companions.include_folders;
  if (!companions.answer_root.empty() && is_answer(companions, index)) {
    for (std::string& folder : folders) folder = companions.answer_root + "/" + folder;
  }
  return folders;
}

std::vector<std::string> redirection(const CompanionSources& companions, const std::string& object) {
  std::vector<std::string> command{"/usr/bin/objcopy"};
  for (const auto& [from, to] : companions.redirected)
    command.push_back(fmt::format("--redefine-sym={}={}", from, to));
  command.push_back(object);
  return command;
}

std::vector<std::string> search_for_system_calls(const std::string& object) {
  return {"/bin/sh", "-c",
          "objdump -d --no-show-raw-insn \"$1\" | grep -m1 -E '[[:space:]](syscall|sysenter|int +[$]0x80)'",
          "sh", object};
}

void add_to_key(CacheKey& key, const CompanionSources& companions) {
  for (const auto& [name, text] : companions.files) key.add("file", name).add("text", text);
  for (const std::string& source : companions.sources) key.add("compiled", source);
  for (const std::string& folder : companions.include_folders) key.add("searched", folder);
  for (const std::string& source : companions.host_sources) key.add("host", source);
  if (companions.wrap_main) key.add("main", "wrapped");
  for (const auto& [name, text] : companions.plain_sources) key.add("plain", name).add("text", text);
  key.add("isolation", std::to_string(static_cast<int>(companions.isolation))).add("rules", kRulesVersion);
  for (const std::string& source : companions.answers) key.add("answer", source);
  key.add("root", companions.answer_root);
  if (companions.counts_host_work) key.add("host_work", "counted");
  for (const auto& [from, to] : companions.redirected) key.add("redirected", from).add("to", to);
}

void keep_only(const fs::path& folder, const std::vector<fs::path>& files) {
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool kept = std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
      return file.filename() == entry.path().filename();
    });
    if (!kept) others.push_back(entry.path());
  }
  for (const fs::path& path : others) base::remove_folder(path);
}

}  // namespace cuset::execute
