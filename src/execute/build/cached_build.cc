#include "execute/build/cached_build.h"

#include <optional>

#include "base/files/scratch_file.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"

namespace cuset::execute {
namespace {

constexpr std::string_view kFormat = "2";  // of build.json; part of every key
constexpr const char* kRecord = "build.json";

void write_record(const std::filesystem::path& folder, const Build& build) {
  base::Json record{{"outcome", static_cast<int>(build.outcome)},
                    {"messages", build.messages},
                    {"compiler", build.compiler},
                    {"command", build.command},
                    {"seconds", build.seconds},
                    {"program", build.program.filename().string()}};
  if (build.own_kernels) record["own_kernels"] = *build.own_kernels;
  base::write_scratch_file(folder / kRecord,
                           record.dump(-1, ' ', true, base::Json::error_handler_t::replace));
}

Build read_record(const std::filesystem::path& folder) {
  const base::Json json = base::read_json_file(folder / kRecord);
  const std::string file = (folder / kRecord).string();
  const base::JsonCursor record = base::JsonCursor(json, file).with_remedy("remove the cache of builds");
  Build build;
  constexpr auto kLast = static_cast<int64_t>(Build::Outcome::kHack);
  build.outcome = static_cast<Build::Outcome>(record.at("outcome").integer(0, kLast));
  build.messages = record.at("messages").string();
  build.compiler = record.at("compiler").string();
  build.command = record.at("command").string();
  build.seconds = record.at("seconds").number();
  if (!record.get("own_kernels").is_absent()) build.own_kernels = record.at("own_kernels").strings();
  build.folder = folder;
  if (build.done()) build.program = folder / record.at("program").string();
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
  // A signal that is meant for all of us ends compilers, too, in whatever way they report it.
  if (!build.done() && base::is_interrupt_requested()) build.outcome = Build::Outcome::kInterrupted;
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

}  // namespace cuset::execute
