#include "base/json/run_claim.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"

namespace cuset::base {

namespace fs = std::filesystem;

namespace {

// Numbers as they are, texts in quotes; not much of either.
std::string claimed_value(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>(), 20);
  const std::string text = value.dump();
  return text.size() <= 20 ? text : in_quotes(text, 20);
}

}  // namespace

void claim_run(const fs::path& file, const Json& identity, const Json& about, std::string_view results) {
  if (!fs::exists(file)) {
    if (file.has_parent_path()) make_folder(file.parent_path());
    Json run = identity;
    if (about.is_object()) run.update(about);
    write_json_file(file, run);
    return;
  }
  const Json run = read_json_file(file);
  for (const auto& [key, value] : identity.items()) {
    if (run.is_object() && run.contains(key) && run[key] == value) continue;
    const bool is_there = run.is_object() && run.contains(key);
    const std::string folder = file.has_parent_path() ? file.parent_path().string() : "this folder";
    throw Error("{} holds {} of another run: {} is {} there, now {}", folder, results, key,
                is_there ? claimed_value(run[key]) : "missing", claimed_value(value))
        .with_remedy("choose another --output, or use the same settings as that run");
  }
}

void refuse_unclaimed(const fs::path& results, const fs::path& record) {
  if (!fs::exists(results) || fs::exists(record)) return;
  throw Error("{} exists, but {} is missing, so it cannot be resumed", results.string(),
              record.filename().string())
      .with_remedy("choose another --output");
}

}  // namespace cuset::base
