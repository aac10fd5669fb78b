#include "execute/project/build_tools.h"

#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/search_path.h"
#include "base/machine/home_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNvcc =
    "#!/bin/sh\n"
    "echo 'nvcc: NVIDIA (R) Cuda compiler driver'\n"
    "echo 'Cuda compilation tools, release 12.8, V12.8.93'\n";

constexpr uintmax_t kLargestBuildFile = 1 << 20;

void write_program(const fs::path& path, const char* text) {
  fs::create_directories(path.parent_path());
  base::write_file_atomic(path, text);
  fs::permissions(path, fs::perms::owner_all | fs::perms::group_exec | fs::perms::group_read |
                            fs::perms::others_exec | fs::perms::others_read);
}

fs::path find_tool(const std::string& name) {
  std::error_code ignored;
  for (const fs::path& folder : base::search_path_folders())
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  throw base::Error("{} is not installed, so that the folder's build cannot be read", name)
      .with_remedy("install it, or give `cuset run` the source files and options themselves");
}

// What a tool outside of /usr needs lies beside its folder: bin, share.
void show_tool(const fs::path& tool, std::vector<fs::path>& readable) {
  const fs::path prefix = fs::canonical(tool).parent_path().parent_path();
  if (!prefix.string().starts_with("/usr") && prefix != prefix.root_path()) readable.push_back(prefix);
}

bool is_home_or_above(const fs::path& folder) {
  const std::string of_home = base::home_folder().lexically_normal().string();
  return folder == folder.root_path() || of_home == folder.string() ||
         of_home.starts_with(folder.string() + "/");
}

// The folder of the repository that `folder` is part of; empty: none.
fs::path repository_of(fs::path folder) {
  std::error_code ignored;
  for (int up = 0; up < 8 && !is_home_or_above(folder); ++up, folder = folder.parent_path())
    if (fs::exists(folder / ".git", ignored)) return folder;
  return {};
}

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("._-+/").find(c) != std::string_view::npos;
}

// "../../common/make.config" of each place in the text that names one.
std::set<std::string> upward_paths(std::string_view text) {
  std::set<std::string> paths;
  for (size_t at = 0; (at = text.find("../", at)) != text.npos;) {
    size_t end = at;
    while (end < text.size() && is_path_character(text[end])) ++end;
    paths.emplace(text.substr(at, end - at));
    at = end;
  }
  return paths;
}

bool is_build_file(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string ending = path.extension().string();
  return name.find("akefile") != name.npos || name == "CMakeLists.txt" || ending == ".mk" ||
         ending == ".cmake" || ending == ".config" || ending == ".inc" || ending == ".make";
}

std::string text_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) > kLargestBuildFile) return "";
  return base::read_file(path);
}

class Surroundings {
 public:
  explicit Surroundings(fs::path folder) : folder_(std::move(folder)) {}

  std::vector<fs::path> run() {
    if (const fs::path whole = repository_of(folder_); !whole.empty()) places_.insert(whole);
    size_t files = 0;
    std::error_code failed;
    for (fs::recursive_directory_iterator item(folder_, failed), end; !failed && item != end;
         item.increment(failed)) {
      if (++files > 2000) break;
      if (is_build_file(item->path())) read(item->path());
    }
    return {places_.begin(), places_.end()};
  }

 private:
  void read(const fs::path& file) {
    for (const std::string& name : upward_paths(text_of(file))) {
      // A makefile's own folder, and that of who includes it, may be meant.
      for (const fs::path& base : {file.parent_path(), folder_}) add(base / name);
    }
  }

  void add(const fs::path& named) {
    std::error_code failed;
    const fs::path path = fs::canonical(named, failed);
    const bool is_inside = (path.string() + "/").starts_with(folder_.string() + "/");
    if (failed || is_inside || is_home_or_above(path) || places_.size() > 100) return;
    if (!places_.insert(path).second) return;
    if (is_build_file(path)) read(path);
  }

  fs::path folder_;
  std::set<fs::path> places_;
};

}  // namespace

std::vector<fs::path> places_around(const fs::path& folder) {
  return Surroundings(fs::canonical(folder)).run();
}

BuildTools::BuildTools(const fs::path& folder, sandbox::Confinement confinement)
    : project_(fs::canonical(folder)), readable_(places_around(folder)), confinement_(confinement) {
  readable_.push_back(project_);
  write_program(nvcc(), kNvcc);
}

sandbox::SandboxResult BuildTools::run(const std::string& tool,
                                       const std::vector<std::string>& arguments) const {
  sandbox::SandboxedCommand command;
  const fs::path program = find_tool(tool);
  command.arguments = {program.string()};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.folder = folder_.path();
  command.readable = readable_;
  show_tool(program, command.readable);
  const std::string toolkit = (folder_ / "toolkit").string();
  command.environment = {{"PATH", toolkit + "/bin:/usr/local/bin:/usr/bin:/bin"},
                         {"CUDA_HOME", toolkit},
                         {"CUDA_PATH", toolkit},
                         {"LC_ALL", "C"}};
  command.limits.wall_time = std::chrono::seconds(60);
  command.limits.output = 16 << 20;
  command.confinement = confinement_;
  sandbox::SandboxResult result = sandbox::run_repeatable(command);
  if (result.ending == sandbox::Ending::kNotStarted)
    throw base::Error("cannot start {}: {}", program.string(), result.reason)
        .with_remedy("`cuset doctor` says what is missing");
  return result;
}

}  // namespace cuset::execute
