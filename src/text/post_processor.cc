#include "text/post_processor.h"

namespace cuset {
namespace {

std::vector<uint32_t> special_ids(const JsonPlace& special_tokens, const JsonPlace& piece) {
  piece.expect_only({"id", "type_id"});
  const std::string name = piece.at("id").string();
  const JsonPlace special = special_tokens.get(name);
  if (special.is_null()) piece.refuse(fmt::format("{} is not among special_tokens", in_quotes(name)));
  const JsonPlace ids = special.at("ids");
  std::vector<uint32_t> out;
  for (size_t i = 0; i < ids.array_size(); ++i) out.push_back(ids.at(i).number());
  return out;
}

void read_template(const JsonPlace& section, PostProcessor& result) {
  section.expect_only({"type", "single", "pair", "special_tokens"});
  const JsonPlace pieces = section.at("single");
  std::vector<uint32_t> before, after;
  bool text_seen = false;
  for (size_t i = 0; i < pieces.array_size(); ++i) {
    const JsonPlace piece = pieces.at(i);
    piece.expect_only({"SpecialToken", "Sequence"});
    if (const JsonPlace text = piece.get("Sequence"); !text.is_null()) {
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

void read_into(const JsonPlace& section, PostProcessor& result) {
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
    const JsonPlace list = section.at("processors");
    for (size_t i = 0; i < list.array_size(); ++i) read_into(list.at(i), result);
    return;
  }
  section.refuse(fmt::format("the post_processor {} is not supported", in_quotes(type)));
}

}  // namespace

PostProcessor read_post_processor(const JsonPlace& section) {
  PostProcessor result;
  if (!section.is_null()) read_into(section, result);
  return result;
}

}  // namespace cuset
