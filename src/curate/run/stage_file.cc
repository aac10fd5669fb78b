#include "curate/run/stage_file.h"

#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "base/files/file.h"
#include "base/files/sha256.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"

namespace cuset::curate {
namespace {

namespace fs = std::filesystem;

// Raised when a stage decides differently with the same settings.
constexpr int kStagesVersion = 1;

void hash_file(const fs::path& file, XXH3_state_t& state) {
  const base::FileDescriptor open = base::open_file(file, 0);
  std::vector<char> block(size_t{1} << 20);
  while (const size_t size = base::read_some(open.get(), block.data(), block.size(), file))
    XXH3_128bits_update(&state, block.data(), size);
}

}  // namespace

void write_stage(const fs::path& file, const std::string& stage, const std::string& key,
                 const StageResult& result) {
  base::AtomicFile out(file);
  const auto write = [&](const base::Json& record) { out.write(base::to_json_line(record) + "\n"); };
  write({{"stage", stage},
         {"key", key},
         {"rejected", result.rejected.size()},
         {"notes", result.notes.size()},
         {"summary", result.summary}});
  for (const auto& [row, rejection] : result.rejected)
    write({{"row", row}, {"reason", rejection.reason}, {"detail", rejection.detail}});
  for (const auto& [row, note] : result.notes) write({{"row", row}, {"note", note}});
  out.commit();
}

std::optional<StageResult> read_stage(const fs::path& file, const std::string& stage,
                                      const std::string& key) {
  std::error_code failed;
  if (!fs::exists(file, failed)) return std::nullopt;
  base::JsonlReader reader(file);
  const std::optional<base::Json> head = reader.next();
  if (!head || base::json_string(*head, "key") != key || base::json_string(*head, "stage") != stage)
    return std::nullopt;
  StageResult result;
  result.summary = base::json_member(*head, "summary");
  while (const std::optional<base::Json> line = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor record(*line, place);
    const auto row = static_cast<uint32_t>(record.at("row").integer(0, UINT32_MAX));
    if (!record.get("note").is_absent()) {
      result.notes[row] = record.at("note").value();
    } else {
      result.rejected[row] = {stage, record.at("reason").string(), record.at("detail").string()};
    }
  }
  return result;
}

std::string stage_key(const std::string& before, const std::string& stage, const base::Json& settings) {
  return base::sha256(fmt::format("{} {} {} {}", kStagesVersion, before, stage, base::to_json_line(settings)))
      .substr(0, 32);
}

std::string content_key(const fs::path& path) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_128bits_reset(state.get());
  if (fs::is_directory(path)) {
    std::vector<fs::path> files;
    for (const auto& entry :
         fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied))
      if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const std::string name = file.string();
      XXH3_128bits_update(state.get(), name.data(), name.size() + 1);
      hash_file(file, *state);
    }
  } else {
    hash_file(path, *state);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace cuset::curate
