#include "generate/stop_tokens.h"

#include <set>

#include "base/error.h"
#include "base/json.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// The value of `key`; null where the file or the key is absent.
Json value_in(const fs::path& file, const char* key) {
  if (!fs::exists(file)) return nullptr;
  const Json config = read_json_file(file);
  return config.is_object() && config.contains(key) ? config[key] : Json(nullptr);
}

void add_ids(const fs::path& file, std::set<int64_t>& ids) {
  const Json value = value_in(file, "eos_token_id");
  if (value.is_null()) return;
  for (const Json& id : value.is_array() ? value : Json::array({value})) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= (uint64_t{1} << 31)) {
      throw Error("{}: eos_token_id is {}, but must be the id of a token or a list of them", file.string(),
                  in_quotes(value.dump()))
          .with_remedy("correct the file");
    }
    ids.insert(id.get<int64_t>());
  }
}

// A string, or an object that describes the token. One that the vocabulary lacks can never be written.
void add_named(const fs::path& file, const Tokenizer& tokenizer, std::set<int64_t>& ids) {
  Json value = value_in(file, "eos_token");
  if (value.is_object() && value.contains("content")) value = Json(value["content"]);
  if (!value.is_string()) return;
  if (const auto id = tokenizer.token_to_id(value.get<std::string>())) ids.insert(*id);
}

}  // namespace

std::vector<int64_t> read_stop_tokens(const fs::path& folder, const Tokenizer& tokenizer) {
  std::set<int64_t> ids;
  add_ids(folder / "generation_config.json", ids);
  add_ids(folder / "config.json", ids);
  add_named(folder / "tokenizer_config.json", tokenizer, ids);
  return {ids.begin(), ids.end()};
}

}  // namespace cuset
