#include "red_team.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

using Sections = std::map<std::string, std::string>;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The words after "// key:" in a line of its own; none where there is no such line.
std::vector<std::string> directive(const std::string& source, const std::string& key) {
  const std::string start = "// " + key + ": ";
  for (const std::string& line : lines_of(source))
    if (line.starts_with(start)) return words_of(line.substr(start.size()));
  return {};
}

std::vector<fs::path> sources_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Sections read_sections(const fs::path& file) {
  Sections sections;
  std::string name;
  for (const std::string& line : lines_of(base::read_file(file))) {
    if (line.starts_with("// section: "))
      name = line.substr(12);
    else if (!name.empty())
      sections[name] += line + '\n';
  }
  return sections;
}

// The sections of one task together with the helpers that all tasks share.
Sections code_for(const fs::path& folder, const fs::path& task) {
  Sections code = read_sections(task);
  code["io"] = base::read_file(folder / "files.h") + '\n' + code["io"];
  code["host"] += base::read_file(folder / "host_result.h");
  code["shared_element"] = "__host__ " + code["element"];
  code["device"] = base::read_file(folder / "device.h");
  return code;
}

std::string joined(const std::string& pattern, const Sections& code) {
  std::string source;
  for (const std::string& line : lines_of(pattern)) {
    if (!line.starts_with("// insert: ")) {
      // The answer says nothing of what it is.
      if (!line.starts_with("// ")) source += line + '\n';
      continue;
    }
    for (const std::string& name : words_of(line.substr(11))) {
      CUSET_CHECK(code.contains(name), "no section {}", name);
      source += code.at(name) + '\n';
    }
  }
  return source;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> tasks_for(const std::string& pattern, const std::map<std::string, Sections>& all,
                                   const std::vector<std::string>& by_name) {
  const std::vector<std::string> only = directive(pattern, "tasks"), without = directive(pattern, "not");
  if (!only.empty()) return only;
  std::vector<std::string> chosen;
  for (const auto& [task, code] : all)
    if (!holds(without, task) && !holds(by_name, task)) chosen.push_back(task);
  return chosen;
}

}  // namespace

std::vector<RedTeamAnswer> red_team_answers(const fs::path& folder, const std::string& kind,
                                            const RedTeamPlace& place, size_t most) {
  std::map<std::string, Sections> tasks;
  std::vector<std::string> by_name;
  for (const fs::path& file : sources_of(folder / "tasks")) {
    const Sections code = code_for(folder, file);
    const std::string source = base::read_file(file);
    tasks[file.stem()] = code;
    for (const std::string& task : directive(source, "also")) tasks[task] = code;
    if (!directive(source, "by_name").empty()) by_name.push_back(file.stem());
  }
  std::vector<RedTeamAnswer> answers;
  size_t next = 0;
  for (const fs::path& file : sources_of(folder / kind)) {
    const std::string pattern = base::read_file(file);
    const std::vector<std::string> executors = directive(pattern, "executor");
    if (!executors.empty() && !holds(executors, place.executor)) continue;
    if (holds(directive(pattern, "needs"), "clang") && !place.has_checks) continue;
    const std::vector<std::string> chosen = tasks_for(pattern, tasks, by_name);
    const std::vector<std::string> words = directive(pattern, "class");
    for (size_t i = 0; i < std::min(most, chosen.size()); ++i) {
      const std::string& task = chosen[(next + i) % chosen.size()];
      answers.push_back({file.stem().string() + "_on_" + task, words.empty() ? "" : words[0], task,
                         directive(pattern, "verdict"), directive(pattern, "gpu"),
                         joined(pattern, tasks.at(task))});
    }
    next += most;
  }
  return answers;
}

}  // namespace cuset::tests
