#include "data/tokenized_folder.h"

#include "base/error.h"
#include "base/files/crc32c.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"

namespace cuset::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout = "tokenized.json";
constexpr const char* kExamples = "examples.jsonl";

std::string tokenizer_mark(const fs::path& model) {
  return fmt::format("{:08x}", base::crc32c(base::MappedFile(model / "tokenizer.json").bytes()));
}

std::string digits_of(const std::vector<uint8_t>& flags) {
  std::string text;
  for (const uint8_t flag : flags) text += flag ? '1' : '0';
  return text;
}

std::vector<uint8_t> flags_of(const base::JsonCursor& field, size_t tokens) {
  const std::string& text = field.string();
  if (text.size() != tokens || text.find_first_not_of("01") != text.npos)
    field.refuse("does not fit the ids");
  std::vector<uint8_t> flags;
  for (const char digit : text) flags.push_back(digit == '1');
  return flags;
}

Example example_of(const base::JsonCursor& record) {
  Example example;
  for (const base::JsonCursor& id : record.get("ids").elements()) {
    example.ids.push_back(static_cast<uint32_t>(id.integer(0, UINT32_MAX)));
  }
  example.is_label = flags_of(record.get("learned"), example.ids.size());
  example.is_cuda = flags_of(record.get("cuda"), example.ids.size());
  example.weight = record.get("weight").number();
  example.place = record.get("place").string();
  return example;
}

}  // namespace

bool has_tokenized_data(const fs::path& folder) {
  if (!fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder))) return false;
  if (fs::exists(folder / kAbout)) return true;
  const bool is_arrow = fs::exists(folder / "dataset_dict.json") || fs::exists(folder / "dataset_info.json");
  throw base::UsageError("tokenized_path: {} holds no data that cuset tokenized", folder.string())
      .with_remedy("{}", is_arrow ? "it is a data set of Hugging Face, which is not read: give another path"
                                  : "give a path that does not exist yet");
}

void write_tokenized(const fs::path& folder, const Dataset& dataset, const fs::path& model) {
  base::make_folder(folder);
  base::AtomicFile file(folder / kExamples);
  for (const Example& example : dataset.examples) {
    const base::Json record = {{"ids", example.ids},
                               {"learned", digits_of(example.is_label)},
                               {"cuda", digits_of(example.is_cuda)},
                               {"weight", example.weight},
                               {"place", example.place}};
    file.write(base::to_json_line(record) + "\n");
  }
  file.commit();
  // Last: it says that the rest is complete.
  base::write_json_file(folder / kAbout, {{"tokenizer", tokenizer_mark(model)},
                                          {"rows", dataset.rows},
                                          {"truncated", dataset.truncated},
                                          {"dropped", dataset.dropped.size()}});
}

Dataset read_tokenized(const fs::path& folder, const fs::path& model, size_t max_tokens) {
  const std::string source = (folder / kAbout).string();
  const base::Json about = base::read_json_file(source);
  const base::JsonCursor fields(about, source);
  if (fields.get("tokenizer").string() != tokenizer_mark(model)) {
    throw base::Error("{}: made with another tokenizer than that of {}", folder.string(), model.string())
        .with_remedy("give another tokenized_path, or remove the folder");
  }
  Dataset dataset;
  dataset.rows = fields.get("rows").unsigned_integer();
  dataset.truncated = fields.get("truncated").unsigned_integer();
  base::JsonlReader reader(folder / kExamples);
  while (const auto record = reader.next()) {
    const std::string place = reader.place();
    dataset.examples.push_back(example_of(base::JsonCursor(*record, place)));
    if (dataset.examples.back().ids.size() > max_tokens) {
      throw base::Error("{}: {} tokens, {} allowed", place, dataset.examples.back().ids.size(), max_tokens)
          .with_remedy("take the cutoff_len that the data was tokenized with, or remove the folder");
    }
  }
  return dataset;
}

}  // namespace cuset::data
