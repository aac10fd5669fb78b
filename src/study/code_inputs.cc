#include "study/code_inputs.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "data/record_reader.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) { return file.extension() == ".cu" || file.extension() == ".cuh"; }

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, kOptions)) {
    if (is_source(entry.path()) && entry.is_regular_file()) files.push_back(entry.path());
  }
  if (files.empty()) {
    throw base::UsageError("data: no .cu or .cuh file below {}", base::in_quotes(folder.string()))
        .with_remedy("name a folder of CUDA sources, source files, or JSONL");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<fs::path> find_code_files(const std::vector<std::string>& inputs) {
  std::vector<fs::path> files;
  for (const std::string& input : inputs) {
    const fs::path path = input;
    if (fs::is_directory(path)) {
      const std::vector<fs::path> found = sources_below(path);
      files.insert(files.end(), found.begin(), found.end());
      continue;
    }
    if (!fs::exists(path)) {
      throw base::UsageError("data: there is no {}", base::in_quotes(input)).with_remedy("check the path");
    }
    if (!is_source(path) && !data::is_data_file(path)) {
      throw base::UsageError("data: {} is neither .jsonl nor .json, .cu or .cuh", base::in_quotes(input))
          .with_remedy("name JSONL in a form of training data, CUDA sources, or a folder of them");
    }
    files.push_back(path);
  }
  return files;
}

std::vector<data::Sample> read_code(const std::vector<fs::path>& files, size_t most) {
  std::vector<data::Sample> samples;
  const auto is_full = [&] { return most > 0 && samples.size() >= most; };
  for (const fs::path& file : files) {
    if (is_full()) break;
    if (is_source(file)) {
      samples.push_back(data::sample_from_source(base::read_file(file), file.string()));
      continue;
    }
    data::RecordReader reader(file);
    while (!is_full()) {
      const std::optional<base::Json> record = reader.next();
      if (!record) break;
      samples.push_back(data::sample_from_record(*record, reader.place()));
    }
  }
  if (samples.empty()) {
    throw base::Error("{}: no samples", files.empty() ? "data" : files.front().string())
        .with_remedy("give CUDA sources, or JSONL in a form of training data");
  }
  return samples;
}

}  // namespace cuset::study
