#include "execute/build/quick_linker.h"

#include <algorithm>

#include "base/lines.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

// mold where it is installed. It would start a thread for every core, and a process to leave early.
const std::vector<std::string> kChoices[] = {{"-fuse-ld=mold", "-Wl,--no-threads,--no-fork"}, {}};

std::vector<std::string> words_in_quotes(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      inside = !inside;
      if (inside) words.emplace_back();
    } else if (inside) {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      words.back() += line[i];
    }
  }
  return words;
}

bool has_once(const std::vector<std::string>& words, const char* word) {
  return std::count(words.begin(), words.end(), word) == 1;
}

}  // namespace

std::vector<std::string> last_command(std::string_view printed) {
  std::vector<std::string> command;
  for (const std::string_view line : base::lines_of(printed)) {
    if (line.starts_with(" \"")) command = words_in_quotes(line);
  }
  return command;
}

void find_quick_linker(emulator::EmulatorToolchain& toolchain) {
  for (const std::vector<std::string>& choice : kChoices) {
    std::vector<std::string> question = emulator::link_command(toolchain, emulator::marked_link());
    question.insert(question.begin() + 1, choice.begin(), choice.end());
    question.insert(question.begin() + 1, "-###");
    const sandbox::ProcessResult told = sandbox::run_process(question);
    if (!told.succeeded()) continue;  // there is no such linker
    std::vector<std::string> command = last_command(told.output);
    if (!has_once(command, emulator::kLinkedObjects) || !has_once(command, emulator::kLinkedProgram))
      continue;
    toolchain.linker = std::move(command);
    return;
  }
}

}  // namespace cuset::execute
