#include "cli/commands/tokenize/tokenize.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <limits>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/jsonl.h"
#include "cli/commands/commands.h"
#include "cli/framework/model_path.h"

namespace cuset::cli {
namespace {

// Lines are handed on as they come, so that another program can talk to this one.
void write_line(const base::Json& value, std::ostream& out) {
  out << base::to_json_line(value) << '\n' << std::flush;
  if (!out) throw base::Error("cannot write to standard output").with_remedy("is the reader still there?");
}

base::Json encode_at(const text::Tokenizer& tokenizer, std::string_view text,
                     const text::EncodeOptions& options, std::string_view place) {
  try {
    return encoding_to_json(tokenizer.encode(text, options));
  } catch (const base::Error& error) {
    throw base::Error("{}: {}", place, error.what()).with_remedy("{}", error.remedy());
  }
}

std::string decode_at(const text::Tokenizer& tokenizer, const base::Json& value, std::string_view place) {
  const std::vector<uint32_t> ids = ids_from_json(value, place);
  try {
    return tokenizer.decode(ids);
  } catch (const base::Error& error) {
    throw base::Error("{}: {}", place, error.what()).with_remedy("{}", error.remedy());
  }
}

const std::string& text_of(const base::Json& record, std::string_view place) {
  const auto text = record.is_object() ? record.find("text") : record.end();
  if (!record.is_object() || text == record.end() || !text->is_string()) {
    throw base::Error("{}: not an object with a string \"text\"", place)
        .with_remedy("leave --jsonl out for plain text");
  }
  return text->get_ref<const std::string&>();
}

base::JsonlReader standard_input() {
  const int copy = ::dup(STDIN_FILENO);
  if (copy < 0) throw base::file_error("read", "stdin", errno);
  return base::JsonlReader(base::FileDescriptor(copy), "stdin");
}

text::SpecialTokens policy_of(std::string_view word) {
  if (word == "plain") return text::SpecialTokens::PlainText;
  return word == "refuse" ? text::SpecialTokens::Refuse : text::SpecialTokens::Parse;
}

class TokenizeCommand : public Command {
 public:
  std::string_view name() const override { return "tokenize"; }
  std::string_view summary() const override {
    return "Turn text on standard input into token ids, or token ids into text";
  }
  std::string_view examples() const override {
    return "  echo '__global__ void f() {}' | cuset tokenize --model assets/model\n"
           "  cuset tokenize --model assets/model --whole < examples/saxpy.cu > ids.jsonl\n"
           "  cuset tokenize --model assets/model --decode < ids.jsonl\n"
           "  cuset tokenize --model M --jsonl < texts.jsonl > ids.jsonl   # lines of {\"text\": ...}";
  }

  void declare(Settings& settings) override {
    settings.add("model", model_, "Model folder, or its tokenizer.json");
    settings.require("model");
    settings.add("jsonl", jsonl_, "Input lines are {\"text\": ...} instead of plain text");
    settings.add("whole", whole_, "Treat the whole input as one text");
    settings.add("decode", decode_, "Input lines are {\"ids\": [...]} or [...]; print {\"text\": ...}");
    settings.add_choice(
        "special_tokens", special_tokens_, {"parse", "plain", "refuse"},
        "How control tokens like <|im_start|> in the text are read: as tokens, as plain text, or refused");
    settings.add("add_special_tokens", add_special_tokens_,
                 "Add the tokens that the tokenizer puts around a text");
  }

  int run() override {
    if (int{jsonl_} + int{whole_} + int{decode_} > 1) {
      throw base::UsageError("--jsonl, --whole and --decode exclude each other");
    }
    std::ios::sync_with_stdio(false);
    const text::Tokenizer tokenizer = text::Tokenizer::from_file(tokenizer_file_of(model_));
    const text::EncodeOptions options{policy_of(special_tokens_), add_special_tokens_};
    if (whole_) {
      write_line(encode_at(tokenizer, base::read_file("/dev/stdin"), options, "stdin"), std::cout);
    } else if (jsonl_ || decode_) {
      serve_records(tokenizer, options);
    } else {
      tokenize_lines(tokenizer, options, std::cin, std::cout);
    }
    return 0;
  }

 private:
  void serve_records(const text::Tokenizer& tokenizer, const text::EncodeOptions& options) const {
    base::JsonlReader reader = standard_input();
    while (const std::optional<base::Json> record = reader.next()) {
      const std::string place = reader.place();
      write_line(decode_ ? base::Json{{"text", decode_at(tokenizer, *record, place)}}
                         : encode_at(tokenizer, text_of(*record, place), options, place),
                 std::cout);
    }
  }

  std::filesystem::path model_;
  bool jsonl_ = false;
  bool whole_ = false;
  bool decode_ = false;
  std::string special_tokens_ = "parse";
  bool add_special_tokens_ = true;
};

}  // namespace

std::unique_ptr<Command> make_tokenize_command() { return std::make_unique<TokenizeCommand>(); }

base::Json encoding_to_json(const text::Encoding& encoding) {
  base::Json offsets = base::Json::array();
  for (const auto& [begin, end] : encoding.spans) offsets.push_back({begin, end});
  return {{"ids", encoding.ids}, {"offsets", std::move(offsets)}};
}

std::vector<uint32_t> ids_from_json(const base::Json& value, std::string_view place) {
  const bool wrapped = value.is_object() && value.contains("ids");
  const base::Json& list = wrapped ? value["ids"] : value;
  if (!list.is_array()) {
    throw base::Error("{}: neither {{\"ids\": [...]}} nor [...]", place)
        .with_remedy("--decode reads what `cuset tokenize` prints");
  }
  std::vector<uint32_t> ids;
  ids.reserve(list.size());
  for (const base::Json& id : list) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() > std::numeric_limits<uint32_t>::max()) {
      throw base::Error("{}: {} is not a token id", place, base::in_quotes(base::to_json_line(id)));
    }
    ids.push_back(id.get<uint32_t>());
  }
  return ids;
}

void tokenize_lines(const text::Tokenizer& tokenizer, const text::EncodeOptions& options, std::istream& in,
                    std::ostream& out) {
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    write_line(encode_at(tokenizer, line, options, fmt::format("stdin:{}", number)), out);
  }
}

}  // namespace cuset::cli
