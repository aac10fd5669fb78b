#include "text/tokenizer/post_processor.h"

#include "base/error.h"
#include "text/tokenizer/vocabulary.h"

namespace cuset::text {
namespace {

std::vector<uint32_t> special_ids(const base::JsonCursor& special_tokens, const base::JsonCursor& piece) {
  piece.expect_only({"id", "type_id"});
  const std::string name = piece.at("id").string();
  const base::JsonCursor special = special_tokens.get(name);
  if (special.is_absent())
    piece.refuse(fmt::format("names {}, which is not among special_tokens", base::in_quotes(name)));
  std::vector<uint32_t> out;
  for (const base::JsonCursor& id : special.at("ids").elements())
    out.push_back(static_cast<uint32_t>(id.integer(0, kNoToken - 1)));
  return out;
}

void read_template(const base::JsonCursor& section, PostProcessor& result) {
  section.expect_only({"type", "single", "pair", "special_tokens"});
  const base::JsonCursor pieces = section.at("single");
  std::vector<uint32_t> before, after;
  bool text_seen = false;
  for (const base::JsonCursor& piece : pieces.elements()) {
    piece.expect_only({"SpecialToken", "Sequence"});
    if (const base::JsonCursor text = piece.get("Sequence"); !text.is_absent()) {
      if (text_seen || text.at("id").string() != "A") text.refuse("must be A, once");
      text_seen = true;
      continue;
    }
    const auto ids = special_ids(section.at("special_tokens"), piece.at("SpecialToken"));
    std::vector<uint32_t>& side = text_seen ? after : before;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (!text_seen) pieces.refuse("has no Sequence A, where the text goes");
  // A later template goes around what an earlier one has made.
  result.before.insert(result.before.begin(), before.begin(), before.end());
  result.after.insert(result.after.end(), after.begin(), after.end());
}

void read_into(const base::JsonCursor& section, PostProcessor& result) {
  const std::string type = section.at("type").string();
  if (type == "TemplateProcessing") return read_template(section, result);
  if (type == "ByteLevel") {
    section.expect_only({"type", "add_prefix_space", "trim_offsets", "use_regex"});
    if (section.at("trim_offsets").boolean()) {
      result.trims_spans = true;
      result.keeps_first_space = section.at("add_prefix_space").boolean();
    }
    return;
  }
  if (type == "Sequence") {
    section.expect_only({"type", "processors"});
    for (const base::JsonCursor& step : section.at("processors").elements()) read_into(step, result);
    return;
  }
  section.at("type").refuse(fmt::format("is {}, which is not supported", base::in_quotes(type)));
}

}  // namespace

PostProcessor read_post_processor(const base::JsonCursor& section) {
  PostProcessor result;
  if (!section.is_absent()) read_into(section, result);
  return result;
}

}  // namespace cuset::text
