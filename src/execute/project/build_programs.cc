#include "execute/project/build_programs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "execute/build/nvcc_options.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// "x86_64-linux-gnu-g++-12" is g++.
bool is_compiler(std::string name) {
  static constexpr std::string_view kNames[] = {"nvcc",  "g++",     "gcc",   "cc",     "c++",
                                                "clang", "clang++", "mpicc", "mpicxx", "mpic++"};
  const size_t version = name.find_last_not_of("0123456789.");
  if (version != name.npos && name[version] == '-') name.resize(version);
  const size_t dash = name.rfind('-');
  if (dash != name.npos) name.erase(0, dash + 1);
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

template <typename T>
void add_new(std::vector<T>& to, const T& value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

template <typename T>
void add_new(std::vector<T>& to, const std::vector<T>& values) {
  for (const T& value : values) add_new(to, value);
}

void join(ProjectProgram& whole, const ProjectProgram& part) {
  add_new(whole.sources, part.sources);
  add_new(whole.defines, part.defines);
  add_new(whole.include_folders, part.include_folders);
  add_new(whole.libraries, part.libraries);
  add_new(whole.nvcc_flags, part.nvcc_flags);
  if (!part.standard.empty()) whole.standard = std::max(whole.standard, part.standard);
  whole.relocatable = whole.relocatable || part.relocatable;
  whole.all_cuda = whole.all_cuda || part.all_cuda;
}

class Products {
 public:
  void run(const BuildCommand& command) {
    const std::string tool = command.tool();
    if (is_compiler(tool)) {
      compile(command);
    } else if (tool == "ar" || tool.ends_with("-ar")) {
      archive(command);
    } else if (tool == "mv" || tool == "cp") {
      move(command);
    }
  }

  std::vector<ProjectProgram> programs(const fs::path& folder) const {
    std::vector<ProjectProgram> result;
    std::map<std::string, int> namesakes;
    for (const fs::path& path : linked_) ++namesakes[path.filename().string()];
    for (const fs::path& path : linked_) {
      ProjectProgram program = made_.at(path);
      const bool has_sources = std::any_of(program.sources.begin(), program.sources.end(), is_program_source);
      if (!has_sources) continue;
      program.name = path.filename().string();
      if (namesakes[program.name] > 1) program.name = path.lexically_proximate(folder).string();
      result.push_back(std::move(program));
    }
    return result;
  }

 private:
  // Of whom only -x cu makes a CUDA source.
  static bool is_other_source(const fs::path& path) {
    return is_program_source(path) && path.extension() != ".cu";
  }

  static fs::path in(const BuildCommand& command, const fs::path& name) {
    return (command.folder / name).lexically_normal();
  }

  void compile(const BuildCommand& command) {
    const CompileLine line = read_compile_line(command.arguments());
    if (line.makes == CompileLine::Makes::kNothing || line.inputs.empty()) return;
    const bool compiles_only = line.makes == CompileLine::Makes::kObject;
    if (compiles_only && line.output.empty()) {
      for (const std::string& input : line.inputs)
        made_[in(command, fs::path(input).filename().replace_extension(".o"))] =
            product(command, line, {input});
      return;
    }
    const fs::path output = in(command, line.output.empty() ? "a.out" : line.output);
    if (!output.has_filename()) return;  // a folder, which no linker writes
    made_[output] = product(command, line, line.inputs);
    if (line.makes == CompileLine::Makes::kProgram) add_new(linked_, output);
  }

  ProjectProgram product(const BuildCommand& command, const CompileLine& line,
                         const std::vector<std::string>& inputs) const {
    ProjectProgram product;
    product.defines = line.defines;
    for (const std::string& folder : line.include_folders)
      product.include_folders.push_back(in(command, folder));
    product.standard = line.standard;
    product.relocatable = line.relocatable;
    product.all_cuda = line.all_cuda && std::any_of(inputs.begin(), inputs.end(), is_other_source);
    product.nvcc_flags = line.nvcc_flags;
    for (const std::string& input : inputs) take_input(in(command, input), product);
    take_libraries(command, line, product);
    return product;
  }

  void take_input(const fs::path& input, ProjectProgram& product) const {
    if (is_program_source(input)) {
      add_new(product.sources, input);
    } else if (const auto made = made_.find(input); made != made_.end()) {
      join(product, made->second);
    }
  }

  // -lsolver may be one that the build has made.
  void take_libraries(const BuildCommand& command, const CompileLine& line, ProjectProgram& product) const {
    for (const std::string& library : line.libraries) {
      const ProjectProgram* made = find_library(command, line, library);
      if (made != nullptr) {
        join(product, *made);
      } else {
        add_new(product.libraries, library);
      }
    }
  }

  const ProjectProgram* find_library(const BuildCommand& command, const CompileLine& line,
                                     const std::string& library) const {
    for (const std::string& folder : line.library_folders) {
      for (const char* ending : {".a", ".so"}) {
        const auto made = made_.find(in(command, fs::path(folder) / ("lib" + library + ending)));
        if (made != made_.end()) return &made->second;
      }
    }
    return nullptr;
  }

  // ar rcs lib.a a.o b.o
  void archive(const BuildCommand& command) {
    ProjectProgram whole;
    fs::path output;
    for (size_t i = 1; i < command.words.size(); ++i) {
      const std::string& word = command.words[i];
      if (output.empty()) {
        if (word.ends_with(".a")) output = in(command, word);
      } else {
        take_input(in(command, word), whole);
      }
    }
    if (!output.empty()) join(made_[output], whole);
  }

  void move(const BuildCommand& command) {
    const std::vector<std::string>& words = command.words;
    if (words.size() < 3) return;
    const auto made = made_.find(in(command, words[words.size() - 2]));
    if (made == made_.end()) return;
    const fs::path target = in(command, words.back());
    made_[target] = made->second;
    made_[target / made->first.filename()] = made->second;
  }

  std::map<fs::path, ProjectProgram> made_;
  std::vector<fs::path> linked_;
};

}  // namespace

bool is_program_source(const fs::path& path) {
  static constexpr std::string_view kEndings[] = {".cu", ".cpp", ".cc", ".cxx", ".c", ".C", ".c++"};
  return std::find(std::begin(kEndings), std::end(kEndings), path.extension().string()) != std::end(kEndings);
}

std::vector<ProjectProgram> programs_of(const std::vector<BuildCommand>& commands, const fs::path& folder) {
  Products products;
  for (const BuildCommand& command : commands) products.run(command);
  return products.programs(folder);
}

}  // namespace cuset::execute
