// The commands of a build as `make` prints them, without running any: words as a shell would split them, each command with
// the folder that it runs in.
//
//   make[1]: Entering directory '/home/me/solver'      where the next commands run
//   cd src && nvcc -DNAME='"x y"' -c a.cu -o ../a.o    commands of one line, quotes, `cd`
//
// Variables and substitutions of the shell ($HOME, `date`) are left as they are written: nothing is run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

struct BuildCommand {
  std::filesystem::path folder;
  std::vector<std::string> words;

  // The name of the program that runs: "nvcc" of "/usr/local/cuda/bin/nvcc".
  std::string tool() const;
  // The words behind it.
  std::vector<std::string> arguments() const { return {words.begin() + 1, words.end()}; }
};

// The commands in the output of a `make -n -w` that was started in `folder`. Assignments and wrappers before a command
// ("CC=gcc time ccache nvcc") are left out.
std::vector<BuildCommand> read_build_output(std::string_view output, const std::filesystem::path& folder);

// Words as a shell splits one text without operators.
std::vector<std::string> split_words(std::string_view text);

}  // namespace cuset::execute
