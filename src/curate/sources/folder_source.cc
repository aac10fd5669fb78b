#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "base/files/file.h"
#include "cuda_source/kernel_slices.h"
#include "curate/sources/sources.h"
#include "curate/text/license.h"
#include "data/messages.h"

namespace cuset::curate {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestFile = 4 << 20;  // of a source that somebody wrote; more is generated

bool is_cuda_file(const fs::path& file) { return file.extension() == ".cu" || file.extension() == ".cuh"; }

std::vector<fs::path> cuda_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied);
  for (auto entry = fs::begin(walk); entry != fs::end(walk); ++entry) {
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (entry->is_directory() && is_hidden) entry.disable_recursion_pending();
    if (entry->is_regular_file() && !entry->is_symlink() && !is_hidden && is_cuda_file(entry->path()))
      files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Licenses by folder: that of a LICENSE file in it, or else the folder above it, up to the source's own.
class FolderLicenses {
 public:
  explicit FolderLicenses(fs::path root) : root_(std::move(root)) {}

  const std::string& of(const fs::path& folder) {
    const auto found = known_.find(folder);
    if (found != known_.end()) return found->second;
    std::string license = read(folder);
    if (license.empty() && folder != root_ && folder.has_relative_path()) license = of(folder.parent_path());
    return known_[folder] = license;
  }

 private:
  static std::string read(const fs::path& folder) {
    for (const char* name : {"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING", "LICENCE"}) {
      std::error_code failed;
      const fs::path file = folder / name;
      if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) > kLargestFile) continue;
      if (std::string license = license_in(base::read_file(file)); !license.empty()) return license;
    }
    return "";
  }

  fs::path root_;
  std::map<fs::path, std::string> known_;
};

// The comment's words, without its signs.
std::string words_of_comment(std::string_view comment) {
  std::string words;
  for (const char c : comment) {
    const bool is_blank = c == '/' || c == '*' || c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_blank) words += c;
    if (is_blank && !words.empty() && words.back() != ' ') words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

// `prompt` with {kernel}, {signature} and {comment} replaced.
std::string filled(std::string prompt, const cuda_source::KernelSlice& slice) {
  const std::array<std::pair<std::string_view, std::string>, 3> places = {
      {{"{kernel}", slice.kernel},
       {"{signature}", slice.signature},
       {"{comment}", words_of_comment(slice.comment)}}};
  for (const auto& [place, value] : places) {
    for (size_t at = prompt.find(place); at != std::string::npos; at = prompt.find(place, at + value.size()))
      prompt.replace(at, place.size(), value);
  }
  return prompt;
}

Row row_of_slice(const PlannedSource& source, cuda_source::KernelSlice slice, const std::string& place) {
  Row row;
  row.source = source.name;
  row.place = place;
  row.id = fmt::format("{}#{}", place, slice.kernel);
  if (source.prompt.empty()) {
    row.messages = base::Json::array({data::make_message("assistant", std::move(slice.text))});
    row.is_source = true;
    return row;
  }
  row.messages = base::Json::array({data::make_message("user", filled(source.prompt, slice)),
                                    data::make_message("assistant", "```cuda\n" + slice.text + "```\n")});
  return row;
}

}  // namespace

void read_folder(const PlannedSource& source, RowSink& sink) {
  FolderLicenses licenses(source.folder);
  for (const fs::path& file : cuda_files_below(source.folder)) {
    const std::string place = file.string();
    if (fs::file_size(file) > kLargestFile) {
      sink.refuse(source.name, place, {"sources", "too_large", fmt::format("{} bytes", fs::file_size(file))});
      continue;
    }
    const std::string text = base::read_file(file);
    std::string license = source.license.empty() ? license_in(text) : source.license;
    if (license.empty()) license = licenses.of(file.parent_path());
    std::vector<cuda_source::KernelSlice> slices = cuda_source::cut_kernels(text);
    if (slices.empty())
      sink.refuse(source.name, place, {"sources", "no_kernel", "the file defines no kernel"});
    for (cuda_source::KernelSlice& slice : slices) {
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(slice.begin), '\n');
      Row row = row_of_slice(source, std::move(slice), fmt::format("{}:{}", place, line));
      row.license = license;
      sink.take(std::move(row));
    }
  }
}

}  // namespace cuset::curate
