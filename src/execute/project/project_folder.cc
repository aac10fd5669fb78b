#include "execute/project/project_folder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/console.h"
#include "base/error.h"
#include "base/files/file.h"
#include "cuda_source/lexer.h"
#include "execute/project/cmake_folder.h"
#include "execute/project/make_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

bool is_cuda(const fs::path& path) { return path.extension() == ".cu"; }

bool has_cuda(const ProjectProgram& program) {
  return program.all_cuda || std::any_of(program.sources.begin(), program.sources.end(), is_cuda);
}

std::string names_of(const std::vector<ProjectProgram>& programs) {
  std::string names;
  for (size_t i = 0; i < programs.size() && i < 12; ++i) names += (i == 0 ? "" : ", ") + programs[i].name;
  return names + (programs.size() > 12 ? ", ..." : "");
}

ProjectProgram choose(std::vector<ProjectProgram> programs, const std::string& target,
                      const fs::path& folder) {
  if (!target.empty()) {
    const auto named = std::find_if(programs.begin(), programs.end(),
                                    [&](const ProjectProgram& program) { return program.name == target; });
    if (named != programs.end()) return *named;
  }
  if (programs.size() > 1 && std::any_of(programs.begin(), programs.end(), has_cuda))
    std::erase_if(programs, [](const ProjectProgram& program) { return !has_cuda(program); });
  if (programs.size() == 1) return programs[0];
  throw base::Error("{} builds {} programs: {}", folder.string(), programs.size(), names_of(programs))
      .with_remedy("choose one: --target {}", programs[0].name);
}

// Sources and headers that a text names in an #include.
std::set<std::string> included_names(const std::string& text) {
  std::set<std::string> names;
  for (const cuda_source::Token& token : cuda_source::lex(text)) {
    if (token.kind != cuda_source::TokenKind::kString || !token.has(cuda_source::kInDirective)) continue;
    const std::string name = cuda_source::spelling(text, token);
    if (name.size() > 2) names.insert(fs::path(name.substr(1, name.size() - 2)).filename().string());
  }
  return names;
}

bool defines_main(const std::string& text) {
  std::string before;
  for (const cuda_source::Token& token : cuda_source::lex(text)) {
    const std::string word = cuda_source::spelling(text, token);
    if (word == "(" && before == "main" && !token.has(cuda_source::kInDirective)) return true;
    before = word;
  }
  return false;
}

// The sources of a folder without a build file: those with a `main` are programs, the others belong to each of them, unless
// they are included by another.
std::vector<ProjectProgram> programs_of_sources(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && is_program_source(entry.path())) sources.push_back(entry.path());
  std::sort(sources.begin(), sources.end());
  std::set<std::string> included;
  std::vector<fs::path> mains, parts;
  for (const fs::path& source : sources) {
    const std::string text = base::read_file(source);
    included.merge(included_names(text));
    (defines_main(text) ? mains : parts).push_back(source);
  }
  std::erase_if(parts, [&](const fs::path& part) { return included.contains(part.filename().string()); });
  std::vector<ProjectProgram> programs;
  for (const fs::path& main : mains) {
    ProjectProgram program;
    program.name = main.filename().string();
    program.sources = {main};
    program.sources.insert(program.sources.end(), parts.begin(), parts.end());
    programs.push_back(std::move(program));
  }
  return programs;
}

FoundProgram of_sources(const fs::path& folder, const std::string& target) {
  std::vector<ProjectProgram> programs = programs_of_sources(folder);
  if (programs.empty())
    throw base::Error("{} has no Makefile, no CMakeLists.txt and no source with a main function",
                      folder.string())
        .with_remedy("name the program's source files");
  return {choose(std::move(programs), target, folder), "sources"};
}

bool has_name(const std::vector<ProjectProgram>& programs, const std::string& name) {
  return std::any_of(programs.begin(), programs.end(),
                     [&](const ProjectProgram& program) { return program.name == name; });
}

struct ReadBuild {
  std::string origin;
  std::string complaint;
  std::vector<ProjectProgram> programs;
  std::string tools;  // "its commands are: nvc++, echo"
};

std::string tools_of(const std::vector<BuildCommand>& commands) {
  std::set<std::string> names;
  for (const BuildCommand& command : commands)
    if (names.size() < 8) names.insert(command.tool());
  return names.empty() ? "" : fmt::format("its commands are {}", fmt::join(names, ", "));
}

ReadBuild read_makefile(const BuildTools& tools, const fs::path& makefile, const std::string& target) {
  ReadBuild build{makefile.filename().string(), {}, {}, {}};
  for (const std::string& goal : {std::string(), target}) {
    BuildAnswer answer = ask_make(tools, goal);
    build.complaint = std::move(answer.complaint);
    build.programs = programs_of(answer.commands, tools.project());
    build.tools = tools_of(answer.commands);
    if (target.empty() || has_name(build.programs, target)) break;
  }
  return build;
}

ReadBuild read_cmake(const BuildTools& tools) {
  BuildAnswer answer = ask_cmake(tools);
  return {"CMakeLists.txt", std::move(answer.complaint), programs_of(answer.commands, tools.project()),
          tools_of(answer.commands)};
}

}  // namespace

FoundProgram find_program(const fs::path& folder, const std::string& target,
                          sandbox::Confinement confinement) {
  const fs::path makefile = makefile_in(folder);
  const bool has_cmake = fs::is_regular_file(folder / "CMakeLists.txt");
  if (makefile.empty() && !has_cmake) return of_sources(folder, target);
  const BuildTools tools(folder, confinement);
  ReadBuild build;
  if (!makefile.empty()) build = read_makefile(tools, makefile, target);
  if (build.programs.empty() && has_cmake) build = read_cmake(tools);
  if (build.programs.empty()) {
    const std::string& reason = build.complaint.empty() ? build.tools : build.complaint;
    const std::string why = reason.empty() ? "" : ": " + base::printable(reason);
    throw base::Error("{} builds no program{}", (folder / build.origin).string(), why)
        .with_remedy("choose a target with --target, or give `cuset run` the source files and options");
  }
  return {choose(std::move(build.programs), target, folder), build.origin};
}

std::string describe(const ProjectProgram& program, const fs::path& folder) {
  const fs::path from = fs::weakly_canonical(folder);
  std::string sources, options;
  for (const fs::path& source : program.sources)
    sources += (sources.empty() ? "" : ", ") + source.lexically_proximate(from).string();
  const auto add = [&](const std::string& option) { options += (options.empty() ? "; " : " ") + option; };
  if (!program.standard.empty()) add("-std=" + program.standard);
  if (program.relocatable) add("-rdc=true");
  for (const std::string& define : program.defines) add("-D" + define);
  for (const fs::path& include : program.include_folders)
    add("-I" + include.lexically_proximate(from).string());
  for (const std::string& library : program.libraries) add("-l" + library);
  for (const std::string& flag : program.nvcc_flags) add(flag);
  return base::printable(fmt::format("{} ({}{})", program.name, sources, options));
}

}  // namespace cuset::execute
