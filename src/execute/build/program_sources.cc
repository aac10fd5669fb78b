#include "execute/build/program_sources.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "cuda_source/lexer.h"
#include "execute/build/compiler_messages.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

bool is_cuda(const fs::path& path) { return path.extension() == ".cu"; }

bool is_cpp(const fs::path& path) {
  static constexpr std::string_view kEndings[] = {".cpp", ".cc", ".cxx", ".c"};
  return std::find(std::begin(kEndings), std::end(kEndings), path.extension().string()) != std::end(kEndings);
}

std::string read_source(const fs::path& path) {
  if (fs::is_directory(path)) {
    throw base::Error("{} is a folder", path.string()).with_remedy("name its source files");
  }
  if (!is_cuda(path) && !is_cpp(path)) {
    throw base::Error("{} is not a CUDA or C++ source", path.string())
        .with_remedy("its name must end in .cu, .cpp, .cc, .cxx or .c");
  }
  std::string text = base::read_file(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw base::Error("{} is empty", path.string());
  return text;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// The files that a source names in quotes and that lie at that place, and those that they name.
class HeadersInQuotes {
 public:
  HeadersInQuotes(const std::string& text, const fs::path& folder) { read(text, folder); }

  bool empty() const { return found_.empty(); }

  // Their folders that do not lie in `folder`.
  std::set<fs::path> folders_outside(const fs::path& folder) const {
    const std::string inside = fs::weakly_canonical(folder).string() + "/";
    std::set<fs::path> folders;
    for (const fs::path& header : found_)
      if (!header.string().starts_with(inside)) folders.insert(header.parent_path());
    return folders;
  }

 private:
  static constexpr size_t kMostHeaders = 500;
  static constexpr uintmax_t kLargestHeader = 4 << 20;

  void read(const std::string& text, const fs::path& folder) {
    for (const cuda_source::Token& token : cuda_source::lex(text)) {
      const bool is_name =
          token.kind == cuda_source::TokenKind::kString && token.has(cuda_source::kInDirective);
      const std::string name = is_name ? cuda_source::spelling(text, token) : "";
      if (name.size() >= 3 && name.front() == '"') add(folder / name.substr(1, name.size() - 2));
    }
  }

  void add(const fs::path& header) {
    std::error_code ignored;
    if (found_.size() >= kMostHeaders || !fs::is_regular_file(header, ignored)) return;
    const fs::path real = fs::canonical(header);
    if (!found_.insert(real).second || fs::file_size(real) > kLargestHeader) return;
    read(base::read_file(real), real.parent_path());
  }

  std::set<fs::path> found_;
};

// Under its own name, where that is free in the folder of the build.
std::string add_companion(const fs::path& path, const std::string& text, const fs::path& main,
                          CompanionSources& companions) {
  std::string name = name_in_sandbox(path);
  if (name == name_in_sandbox(main) || companions.files.contains(name))
    name = fmt::format("source{}/{}", companions.sources.size() + 1, name);
  companions.files[name] = text;
  companions.sources.push_back(name);
  return name;
}

}  // namespace

bool holds_cuda_headers(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "cuda_runtime_api.h", ignored);
}

ProgramSources read_program_sources(const std::vector<std::string>& files, bool all_cuda,
                                    BuildOptions& options) {
  ProgramSources sources;
  sources.paths.assign(files.begin(), files.end());
  const auto first = std::find_if(sources.paths.begin(), sources.paths.end(), is_cuda);
  if (first != sources.paths.end()) std::rotate(sources.paths.begin(), first, first + 1);
  sources.main = sources.paths.at(0);
  bool any_header = false;
  std::set<fs::path> outside;
  for (const fs::path& path : sources.paths) {
    sources.texts.push_back(read_source(path));
    const bool is_main = &path == sources.paths.data();
    const std::string name =
        is_main ? name_in_sandbox(path)
                : add_companion(path, sources.texts.back(), sources.main, options.companions);
    if (!is_cuda(path) && !all_cuda) options.companions.host_sources.push_back(name);
    const HeadersInQuotes headers(sources.texts.back(), folder_of(path));
    const bool looks = !headers.empty();
    for (const fs::path& folder : headers.folders_outside(folder_of(path))) outside.insert(folder);
    any_header = any_header || looks;
    options.source_folders.push_back(looks ? folder_of(path) : fs::path());
  }
  if (!any_header) options.source_folders.clear();
  options.visible_folders.assign(outside.begin(), outside.end());
  return sources;
}

}  // namespace cuset::execute
