#include "execute/project/make_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;  // makes that start makes

// "make: *** No rule to make target 'x'.  Stop." without "make: *** ".
std::string first_complaint(std::string_view errors) {
  const size_t stars = errors.find("*** ");
  if (stars == errors.npos) return std::string(errors.substr(0, errors.find('\n')));
  return std::string(errors.substr(stars + 4, errors.find('\n', stars) - stars - 4));
}

class MakeReader {
 public:
  explicit MakeReader(const BuildTools& tools) : tools_(tools) {}

  BuildAnswer run(const std::string& target) {
    std::vector<std::string> arguments;
    if (!target.empty()) arguments.push_back(target);
    read(tools_.project(), arguments, 0);
    return std::move(answer_);
  }

 private:
  void read(const fs::path& folder, const std::vector<std::string>& arguments, int depth) {
    // -B: what is there already is made anew; -k: beyond what cannot be made.
    std::vector<std::string> all{"-C", folder.string(), "-n", "-B", "-k", "-w"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const sandbox::SandboxResult made = tools_.run("make", all);
    if (!made.succeeded() && answer_.complaint.empty()) answer_.complaint = first_complaint(made.errors);
    for (BuildCommand& command : read_build_output(made.output, folder)) {
      const bool is_make = command.tool() == "make" || command.tool() == "gmake";
      if (is_make && depth < kDeepest) {
        read(command.folder, command.arguments(), depth + 1);
      } else {
        answer_.commands.push_back(std::move(command));
      }
    }
  }

  const BuildTools& tools_;
  BuildAnswer answer_;
};

}  // namespace

fs::path makefile_in(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"})
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

BuildAnswer ask_make(const BuildTools& tools, const std::string& target) {
  return MakeReader(tools).run(target);
}

}  // namespace cuset::execute
