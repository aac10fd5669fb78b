// Files that are damaged or ask for what we do not have: a clear Error, never a crash.
#include "text/tokenizer/tokenizer_file.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "support/tiny_tokenizer.h"

namespace cuset::text {
namespace {

std::string error_of(std::string_view text) {
  try {
    Tokenizer::from_json(text, "f.json");
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TokenizerFile, RefusesByNameAndPlace) {
  struct Case {
    std::function<void(base::Json&)> change;
    std::string_view message;
  };
  const Case kCases[] = {
      {[](base::Json& d) { d["model"]["type"] = "Unigram"; },
       "f.json: field 'model.type' is \"Unigram\"; only \"BPE\" is supported"},
      {[](base::Json& d) { d["model"]["dropout"] = 0.1; },
       "f.json: field 'model.dropout' is set; only null is supported"},
      {[](base::Json& d) { d["model"]["end_of_word_suffix"] = "</w>"; },
       "f.json: field 'model.end_of_word_suffix' is set; only null is supported"},
      {[](base::Json& d) { d["model"]["cache"] = 1; }, "f.json: field 'model.cache' is not supported"},
      {[](base::Json& d) { d["model"]["unk_token"] = "<u>"; },
       "f.json: field 'model.unk_token' is \"<u>\", which is not in the vocabulary"},
      {[](base::Json& d) { d["model"]["vocab"] = base::Json::array(); },
       "f.json: field 'model.vocab' is not supported"},
      {[](base::Json& d) { d["model"].erase("vocab"); }, "f.json: field 'model' lacks the object 'vocab'"},
      {[](base::Json& d) { d.erase("model"); }, "f.json: field 'model' is missing"},
      {[](base::Json& d) { d["version"] = "2.0"; },
       "f.json: field 'version' is \"2.0\"; only \"1.0\" is supported"},
      {[](base::Json& d) { d["extra"] = 1; }, "f.json: field 'extra' is not supported"},
      {[](base::Json& d) { d["model"]["vocab"]["ab"] = 3; },
       "f.json: model.vocab: the tokens \"\\xc4\\x83\" and \"ab\" have the same id 3"},
      {[](base::Json& d) { d["model"]["vocab"]["ab"] = 257; },
       "f.json: model.vocab: the token \"ab\" has the id 257, but 257 tokens need the ids 0 to 256 without "
       "holes"},
      {[](base::Json& d) { d["model"]["vocab"]["ab"] = -1; },
       "f.json: model.vocab: the id of \"ab\" must be a whole number"},
      {[](base::Json& d) { d["model"]["vocab"]["ab"] = base::Json::object(); },
       "f.json: model.vocab: the id of \"ab\" must be a whole number"},
      {[](base::Json& d) { d["model"]["vocab"]["ab"] = 4294967295u; },
       "f.json: model.vocab: the token \"ab\" has the id 4294967295"},
      {[](base::Json& d) { d["model"]["merges"].push_back("a z€"); },
       "f.json: model.merges[1]: the token \"z\\xe2\\x82\\xac\" is not in the vocabulary"},
      {[](base::Json& d) { d["model"]["merges"].push_back("x y"); },
       "f.json: model.merges[1]: the token \"xy\" is not in the vocabulary"},
      {[](base::Json& d) { d["model"]["merges"].push_back("a b c"); },
       "f.json: model.merges[1]: \"a b c\" must be two names with one space between"},
      {[](base::Json& d) { d["model"]["merges"].push_back({"a"}); },
       "f.json: model.merges[1]: must be two strings"},
      {[](base::Json& d) { d["model"]["merges"].push_back(3); }, "f.json: model.merges[1]: must be strings"},
      {[](base::Json& d) { d["decoder"] = {{"type", "WordPiece"}}; },
       "f.json: field 'decoder.type' is \"WordPiece\", which is not supported"},
      {[](base::Json& d) { d["post_processor"] = {{"type", "BertProcessing"}}; },
       "f.json: field 'post_processor.type' is \"BertProcessing\", which is not supported"},
      {[](base::Json& d) { d["normalizer"] = {{"type", "Precompiled"}}; },
       "f.json: field 'normalizer.type' is \"Precompiled\", which is not supported"},
      {[](base::Json& d) { support::add_token(d, "<s>"), d["added_tokens"][0]["id"] = 300; },
       "f.json: field 'added_tokens[0]' gives the token \"<s>\" the id 300, but the vocabulary and the "
       "tokens before "
       "make it 257"},
      {[](base::Json& d) { support::add_token(d, "<s>"), d["added_tokens"].push_back(d["added_tokens"][0]); },
       "f.json: field 'added_tokens[1]' repeats the token \"<s>\""},
      {[](base::Json& d) { support::add_token(d, ""); },
       "f.json: field 'added_tokens[0].content' must not be empty"},
  };
  for (const Case& c : kCases) {
    base::Json document = support::tiny_document({{"a", "b"}});
    c.change(document);
    EXPECT_EQ(error_of(base::to_json_line(document)), c.message);
  }
}

TEST(TokenizerFile, TruncationAndPaddingAreNotApplied) {
  base::Json document = support::tiny_document();
  document["truncation"] = {{"max_length", 1}};
  document["padding"] = {{"pad_id", 0}};
  EXPECT_EQ(support::tokenizer_from(document).encode("abc").ids.size(), 3u);
}

TEST(TokenizerFile, MembersThatComeTwiceAreRefused) {
  EXPECT_EQ(error_of(R"({"version": "1.0", "version": "1.0"})"),
            "f.json: the member \"version\" appears twice");
  EXPECT_EQ(error_of(R"({"model": {"vocab": {"a": 0, "a": 1}}})"),
            "f.json: model.vocab: the token \"a\" appears twice, as 0 and as 1");
}

TEST(TokenizerFile, MalformedJsonSaysWhere) {
  const std::string message = error_of("{\"version\": \"1.0\",\n oops}");
  EXPECT_EQ(message.find("f.json: not valid JSON in line 2, at byte "), 0u) << message;
  EXPECT_NE(error_of(std::string(100'000, '[')), "no error");
  EXPECT_EQ(error_of("[]"), "f.json: must hold a JSON object");
}

// A document with every section in use.
std::string rich_file() {
  base::Json document = support::tiny_document({{"a", "b"}, {"ab", "c"}});
  support::add_token(document, "<s>", {"special"});
  support::add_token(document, "tool", {"single_word", "lstrip", "normalized"});
  document["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers",
       {{{"type", "NFC"}}, {{"type", "Replace"}, {"pattern", {{"Regex", "\\s+"}}}, {"content", " "}}}}};
  document["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single",
       {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}}, {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
      {"pair", base::Json::array()},
      {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {258}}, {"tokens", {"<s>"}}}}}}};
  return base::to_json_line(document);
}

// Loads, and uses what loads; anything but an Error escapes and fails the test.
bool survives(const std::string& text) {
  try {
    const Tokenizer tokenizer = Tokenizer::from_json(text, "f.json");
    tokenizer.decode(tokenizer.encode("ab <s> tool e\u0301 12\n").ids);
    return true;
  } catch (const base::Error&) {
    return false;
  }
}

TEST(TokenizerFile, EveryTruncationIsAnError) {
  const std::string file = rich_file();
  ASSERT_TRUE(survives(file));
  for (size_t size = 0; size < file.size(); size += size < 200 || size + 1500 > file.size() ? 1 : 13) {
    EXPECT_FALSE(survives(file.substr(0, size))) << size;
  }
}

TEST(TokenizerFile, FlippedBytesNeverCrash) {
  const std::string file = rich_file();
  uint32_t state = 1;
  size_t loaded = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = file;
    for (int k = 0; k <= i % 3; ++k) {
      state = state * 1664525 + 1013904223;
      damaged[(state >> 8) % damaged.size()] = static_cast<char>(state >> 3);
    }
    loaded += survives(damaged);
  }
  EXPECT_LT(loaded, 3000u);
}

}  // namespace
}  // namespace cuset::text
