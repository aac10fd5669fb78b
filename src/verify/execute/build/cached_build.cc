#include "verify/execute/build/cached_build.h"

#include <optional>

#include "base/json.h"
#include "base/scratch_file.h"

namespace cuset {
namespace {

constexpr std::string_view kFormat = "1";  // of build.json; part of every key
constexpr const char* kRecord = "build.json";

void write_record(const std::filesystem::path& folder, const Build& build) {
  const Json record{{"outcome", static_cast<int>(build.outcome)},
                    {"messages", build.messages},
                    {"compiler", build.compiler},
                    {"command", build.command},
                    {"seconds", build.seconds},
                    {"program", build.program.filename().string()}};
  write_scratch_file(folder / kRecord, record.dump(-1, ' ', true, Json::error_handler_t::replace));
}

Build read_record(const std::filesystem::path& folder) {
  const Json record = read_json_file(folder / kRecord);
  Build build;
  build.outcome = static_cast<Build::Outcome>(record.at("outcome").get<int>());
  build.messages = record.at("messages");
  build.compiler = record.at("compiler");
  build.command = record.at("command");
  build.seconds = record.at("seconds");
  build.folder = folder;
  if (build.done()) build.program = folder / record.at("program").get<std::string>();
  return build;
}

}  // namespace

Build build_through_cache(BuildCache& cache, const std::string& digest, const Compile& compile) {
  const std::string key = CacheKey().add("build.json", kFormat).add("of", digest).digest();
  if (const std::optional<std::filesystem::path> entry = cache.find(key)) {
    Build build = read_record(*entry);
    build.cached = true;
    return build;
  }
  StagingFolder staged = cache.stage();
  Build build = compile(staged.path());
  if (build.outcome == Build::Outcome::kTimeout || build.outcome == Build::Outcome::kInterrupted) {
    build.folder.clear();
    return build;
  }
  write_record(staged.path(), build);
  const std::filesystem::path entry = cache.publish(key, std::move(staged));
  build.folder = entry;
  if (build.done()) build.program = entry / build.program.filename();
  return build;
}

}  // namespace cuset
