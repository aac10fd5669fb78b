#include "generate/stop_tokens.h"

#include <set>

#include "base/json/json_cursor.h"

namespace cuset::generate {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostId = (int64_t{1} << 31) - 1;

// One id or a list of them. A file that is not there, or not an object, names none.
void add_ids(const fs::path& file, std::set<int64_t>& ids) {
  if (!fs::exists(file)) return;
  const base::Json config = base::read_json_file(file);
  if (!config.is_object()) return;
  const std::string name = file.string();
  const base::JsonCursor field =
      base::JsonCursor(config, name)
          .with_remedy("it is the id of a token, or a list of them; correct the file")
          .get("eos_token_id");
  if (field.is_absent()) return;
  if (!field.value().is_array()) {
    ids.insert(field.integer(0, kMostId));
    return;
  }
  for (const base::JsonCursor& id : field.elements()) ids.insert(id.integer(0, kMostId));
}

// A string, or an object that describes the token. One that the vocabulary lacks can never be written.
void add_named(const fs::path& file, const text::Tokenizer& tokenizer, std::set<int64_t>& ids) {
  if (!fs::exists(file)) return;
  const base::Json config = base::read_json_file(file);
  const base::Json& token = base::json_member(config, "eos_token");
  const base::Json& name = token.is_object() ? base::json_member(token, "content") : token;
  if (!name.is_string()) return;
  if (const auto id = tokenizer.token_to_id(name.get<std::string>())) ids.insert(*id);
}

}  // namespace

std::vector<int64_t> read_stop_tokens(const fs::path& folder, const text::Tokenizer& tokenizer) {
  std::set<int64_t> ids;
  add_ids(folder / "generation_config.json", ids);
  add_ids(folder / "config.json", ids);
  add_named(folder / "tokenizer_config.json", tokenizer, ids);
  return {ids.begin(), ids.end()};
}

}  // namespace cuset::generate
