#include "text/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/tiny_tokenizer.h"

namespace cuset::text {
namespace {

using Ids = std::vector<uint32_t>;

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Tokenizer, MergesByRankLeftmostFirst) {
  const Tokenizer tokenizer =
      support::tokenizer_from(support::tiny_document({{"b", "c"}, {"a", "b"}, {"a", "a"}, {"aa", "aa"}}));
  EXPECT_EQ(support::pieces_of(tokenizer, "abc"), "a|bc");
  EXPECT_EQ(support::pieces_of(tokenizer, "abab"), "ab|ab");
  EXPECT_EQ(support::pieces_of(tokenizer, "aaaaa"), "aaaa|a");
  EXPECT_EQ(tokenizer.encode("").ids, Ids{});
}

TEST(Tokenizer, LongWordsMergeAsShortOnesDo) {
  const Tokenizer tokenizer =
      support::tokenizer_from(support::tiny_document({{"b", "c"}, {"a", "b"}, {"a", "a"}, {"aa", "aa"}}));
  std::string text, expected;
  for (int i = 0; i < 100; ++i) {
    text += "aaaabc";
    expected += std::string(i == 0 ? "" : "|") + "aaaa|bc";
  }
  EXPECT_EQ(support::pieces_of(tokenizer, text), expected);
}

TEST(Tokenizer, AMegabyteOfOneLetterIsOneWord) {
  const Tokenizer tokenizer =
      support::tokenizer_from(support::tiny_document({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}}));
  const Encoding encoding = tokenizer.encode(std::string(1 << 20, 'a'));
  EXPECT_EQ(encoding.ids, Ids((1 << 20) / 8, 258));
}

TEST(Tokenizer, TokensInsideACharacterSpanIt) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document());
  const Encoding encoding = tokenizer.encode("a€b");
  const std::vector<TokenSpan> expected = {{0, 1}, {1, 4}, {1, 4}, {1, 4}, {4, 5}};
  EXPECT_EQ(encoding.spans, expected);
  EXPECT_EQ(encoding.ids, (Ids{'a', 0xE2, 0x82, 0xAC, 'b'}));
}

TEST(Tokenizer, BytesOfATokenAreKnownInsideOfACharacterToo) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document({{"a", "b"}}));
  EXPECT_EQ(tokenizer.token_bytes(256), "ab");
  EXPECT_EQ(tokenizer.token_bytes(0xE2), "\xE2");
  base::Json document = support::character_document({"a", "<0xE2>", "<0x41>", "<0xZZ>"});
  document["decoder"] = {{"type", "Sequence"},
                         {"decoders", {{{"type", "ByteFallback"}}, {{"type", "Fuse"}}}}};
  const Tokenizer fallback = support::tokenizer_from(document);
  for (const auto& [id, bytes] :
       std::vector<std::pair<uint32_t, std::string>>{{0, "a"}, {1, "\xE2"}, {2, "A"}, {3, "<0xZZ>"}})
    EXPECT_EQ(fallback.token_bytes(id), bytes) << id;
  EXPECT_NE(error_of([&] { fallback.token_bytes(4); }), "no error");
}

TEST(Tokenizer, SpansPointIntoTheTextBeforeNormalization) {
  base::Json document = support::tiny_document();
  document["normalizer"] = {{"type", "NFC"}};
  const Encoding encoding = support::tokenizer_from(document).encode("e\u0301x");
  const std::vector<TokenSpan> expected = {{0, 1}, {0, 1}, {3, 4}};
  EXPECT_EQ(encoding.spans, expected);
}

TEST(Tokenizer, IgnoreMergesTakesWholeWords) {
  base::Json document = support::tiny_document({{"a", "b"}, {"ab", "c"}});
  document["model"]["vocab"]["xyz"] = 258;
  EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), "xyz"), "x|y|z");
  document["model"]["ignore_merges"] = true;
  EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), "xyz"), "xyz");
  EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), "xyzabc"), "x|y|z|abc");
}

TEST(Tokenizer, MergesMayBePairs) {
  base::Json document = support::tiny_document({{"a", "b"}});
  document["model"]["merges"] = base::Json::array({base::Json::array({"a", "b"})});
  EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), "ab"), "ab");
}

TEST(Tokenizer, UnknownCharacters) {
  base::Json document = support::character_document({"<unk>", "a", "b"});
  EXPECT_EQ(support::tokenizer_from(document).encode("a?b").ids, (Ids{1, 2}));
  document["model"]["unk_token"] = "<unk>";
  EXPECT_EQ(support::tokenizer_from(document).encode("a??b").ids, (Ids{1, 0, 0, 2}));
  document["model"]["fuse_unk"] = true;
  const Encoding fused = support::tokenizer_from(document).encode("a?€b");
  EXPECT_EQ(fused.ids, (Ids{1, 0, 2}));
  EXPECT_EQ(fused.spans[1], (TokenSpan{1, 5}));
}

TEST(Tokenizer, ByteFallback) {
  base::Json document = support::character_document({"a", "<0xC3>", "<0xA9>"});
  document["model"]["byte_fallback"] = true;
  document["decoder"] = {{"type", "ByteFallback"}};
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const Encoding encoding = tokenizer.encode("aé");
  EXPECT_EQ(encoding.ids, (Ids{0, 1, 2}));
  EXPECT_EQ(encoding.spans[2], (TokenSpan{1, 3}));
  EXPECT_EQ(tokenizer.decode(encoding.ids), "aé");
  EXPECT_EQ(tokenizer.decode(Ids{0, 1, 0}), "a\uFFFDa");
}

TEST(Tokenizer, AddedTokens) {
  struct Case {
    const char* content;
    std::vector<std::string> flags;
    std::string_view text, expected;
  };
  const Case kCases[] = {
      {"<x>", {}, "a<x>b<x", "a|<x>|b|<|x"},
      {"<x>", {"lstrip"}, "a \t<x> b", "a| \t<x>| |b"},
      {"<x>", {"rstrip"}, "a <x> \u3000b", "a| |<x> \u3000|b"},
      {"<x>", {"lstrip", "rstrip"}, "<x>  <x>", "<x>  |<x>"},
      {"int", {"single_word"}, "int print int_ (int)", "int| |p|r|i|n|t| |i|n|t|_| |(|int|)"},
      {"int", {"single_word"}, "éint inté", "é|é|i|n|t| |i|n|t|é|é"},
      {"a", {"normalized"}, "aA", "a|A"},
  };
  for (const Case& c : kCases) {
    base::Json document = support::tiny_document();
    support::add_token(document, c.content, c.flags);
    EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), c.text), c.expected) << c.text;
  }
}

TEST(Tokenizer, LeftmostThenLongestAddedTokenWins) {
  base::Json document = support::tiny_document();
  for (const char* content : {"<a", "<a><b>", "<a>", "a><b><c>"}) support::add_token(document, content);
  EXPECT_EQ(support::pieces_of(support::tokenizer_from(document), "<a><b><c><a>"), "<a><b>|<|c|>|<a>");
}

TEST(Tokenizer, RawTokensAreFoundBeforeNormalizationAndOthersAfter) {
  base::Json document = support::tiny_document();
  document["normalizer"] = {{"type", "Lowercase"}};
  support::add_token(document, "RAW");
  support::add_token(document, "Soft", {"normalized"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  EXPECT_EQ(support::pieces_of(tokenizer, "RAWrawSOFTsoft"), "RAW|r|a|w|SOFT|soft");
}

TEST(Tokenizer, PlainTextCannotForgeControlTokens) {
  base::Json document = support::tiny_document();
  support::add_token(document, "<|end|>", {"special"});
  support::add_token(document, "<tool>");
  support::add_token(document, "é");
  support::add_token(document, "    ");
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const std::string_view text = "<|end|>é<tool>    ";
  EXPECT_EQ(support::pieces_of(tokenizer, text), "<|end|>|é|<tool>|    ");
  EXPECT_EQ(support::pieces_of(tokenizer, text, {.special_tokens = SpecialTokens::PlainText}),
            "<|||e|n|d|||>|é|<|t|o|o|l|>|    ");
}

TEST(Tokenizer, MergesCannotForgeControlTokensEither) {
  base::Json document = support::tiny_document({{"<", "s"}, {"<s", ">"}});
  document["model"]["ignore_merges"] = true;
  support::add_token(document, "<s>", {"special"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  EXPECT_EQ(tokenizer.encode("<s>").ids, Ids{257});
  EXPECT_EQ(support::pieces_of(tokenizer, "<s>", {.special_tokens = SpecialTokens::PlainText}), "<s|>");
  EXPECT_EQ(support::pieces_of(tokenizer, "x<s>", {.special_tokens = SpecialTokens::PlainText}), "x|<s|>");
}

TEST(Tokenizer, RefusePolicyNamesTheTokenAndItsPlace) {
  base::Json document = support::tiny_document();
  support::add_token(document, "<|end|>", {"special"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const auto encode = [&] { tokenizer.encode("ab<|end|>", {.special_tokens = SpecialTokens::Refuse}); };
  EXPECT_EQ(error_of(encode), "the text holds the control token \"<|end|>\" at byte 2");
  EXPECT_EQ(support::pieces_of(tokenizer, "ab", {.special_tokens = SpecialTokens::Refuse}), "a|b");
}

TEST(Tokenizer, InvalidUtf8IsAnErrorWithItsPlace) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document());
  EXPECT_EQ(error_of([&] { tokenizer.encode("ab\xFFz"); }), "the text is not valid UTF-8 at byte 2 (0xFF)");
}

TEST(Tokenizer, TemplateAddsTokensOnRequest) {
  base::Json document = support::tiny_document();
  const base::Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const auto special = [](const char* id) {
    return base::Json{{"SpecialToken", {{"id", id}, {"type_id", 0}}}};
  };
  document["post_processor"] = {{"type", "TemplateProcessing"},
                                {"single", {special("B"), text, special("E")}},
                                {"pair", base::Json::array()},
                                {"special_tokens",
                                 {{"B", {{"id", "B"}, {"ids", {0, 7}}, {"tokens", {"x", "y"}}}},
                                  {"E", {{"id", "E"}, {"ids", {9}}, {"tokens", {"z"}}}}}}};
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const Encoding encoding = tokenizer.encode("a");
  EXPECT_EQ(encoding.ids, (Ids{0, 7, 'a', 9}));
  EXPECT_EQ(encoding.spans, (std::vector<TokenSpan>{{0, 0}, {0, 0}, {0, 1}, {0, 0}}));
  EXPECT_EQ(tokenizer.encode("a", {.add_special_tokens = false}).ids, Ids{'a'});
}

TEST(Tokenizer, ByteLevelPostProcessorTrimsSpans) {
  base::Json document = support::tiny_document({{"Ġ", "a"}, {"Ġa", "Ġ"}});
  document["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  EXPECT_EQ(support::tokenizer_from(document).encode("x a y").spans,
            (std::vector<TokenSpan>{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(Tokenizer, DecodersTurnTokensIntoText) {
  base::Json document = support::character_document({"▁", "a", "b", "▁a"}, {{"▁", "a"}});
  const Ids ids = {3, 0, 2};
  EXPECT_EQ(support::tokenizer_from(document).decode(ids), "▁a ▁ b");
  const base::Json replace = {{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}};
  document["decoder"] = replace;
  EXPECT_EQ(support::tokenizer_from(document).decode(ids), " a b");
  const base::Json strip = {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}};
  document["decoder"] = {{"type", "Sequence"}, {"decoders", {replace, {{"type", "Fuse"}}, strip}}};
  EXPECT_EQ(support::tokenizer_from(document).decode(ids), "a b");
}

TEST(Tokenizer, AddedTokensDecodeLiterally) {
  base::Json document = support::tiny_document();
  document["model"]["vocab"].erase("ÿ");
  document["model"]["vocab"]["placeholder"] = 255;
  support::add_token(document, "ÿ");
  const Tokenizer tokenizer = support::tokenizer_from(document);
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("xÿ").ids), "xÿ");
}

TEST(Tokenizer, DecodeSkipsSpecialTokensOnRequestAndChecksIds) {
  base::Json document = support::tiny_document();
  support::add_token(document, "<s>", {"special"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const Ids ids = {256, 'a', 256};
  EXPECT_EQ(tokenizer.decode(ids), "<s>a<s>");
  EXPECT_EQ(tokenizer.decode(ids, true), "a");
  EXPECT_EQ(error_of([&] { tokenizer.decode(Ids{257}); }),
            "the token id 257 is outside the vocabulary of tiny.json (257 tokens)");
}

TEST(Tokenizer, LooksTokensUp) {
  base::Json document = support::tiny_document({{"Ġ", "a"}});
  support::add_token(document, "<s>", {"special"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  EXPECT_EQ(tokenizer.vocab_size(), 258u);
  EXPECT_EQ(tokenizer.token_to_id("Ġa"), 256u);
  EXPECT_EQ(tokenizer.token_to_id("Ā"), 0u);
  EXPECT_EQ(tokenizer.token_to_id("nothing"), std::nullopt);
  EXPECT_EQ(tokenizer.id_to_token(257), "<s>");
  EXPECT_EQ(tokenizer.id_to_token(258), std::nullopt);
  EXPECT_TRUE(tokenizer.is_special(257));
  EXPECT_FALSE(tokenizer.is_special(256));
  EXPECT_EQ(tokenizer.added_tokens().size(), 1u);
}

TEST(Tokenizer, BatchesGiveWhatSingleCallsGive) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document({{"a", "b"}, {"1", "2"}}));
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(fmt::format("ab{} €{}", i, i * i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const unsigned threads : {0u, 1u, 3u}) {
    const auto encodings = tokenizer.encode_batch(views, {}, threads);
    ASSERT_EQ(encodings.size(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(encodings[i].ids, tokenizer.encode(texts[i]).ids);
  }
  EXPECT_TRUE(tokenizer.encode_batch({}).empty());
}

TEST(Tokenizer, ABadTextInABatchIsAnError) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document());
  const std::vector<std::string_view> views = {"a", "\xFF", "b"};
  EXPECT_THROW(tokenizer.encode_batch(views, {}, 2), base::Error);
}

TEST(Tokenizer, MoreWordsThanTheCacheHoldsEncodeAlike) {
  const Tokenizer tokenizer = support::tokenizer_from([] {
    base::Json document = support::tiny_document({{"1", "2"}, {"3", "4"}});
    document["pre_tokenizer"]["use_regex"] = true;
    return document;
  }());
  std::string text;
  for (int i = 0; i < 150'000; ++i) text += fmt::format(" {}", i);
  const Encoding first = tokenizer.encode(text);
  EXPECT_EQ(tokenizer.decode(first.ids), text);
  EXPECT_EQ(tokenizer.encode(text).ids, first.ids);
}

TEST(StreamingDecoder, GivesTheTextOfAllTokens) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document());
  const Ids kCases[] = {
      {'a', 0xE2, 0x82, 0xAC, 'b'}, {0xF0, 0x9F, 0x98, 0x80}, {0xE2, 'a', 0xFF, 0xC3}, {0xF0, 0x9F}, {}};
  for (const Ids& ids : kCases) {
    StreamingDecoder decoder(tokenizer);
    std::string text;
    for (const uint32_t id : ids) {
      text += decoder.push(id);
      EXPECT_EQ(text.find("\uFFFD"),
                tokenizer.decode(ids).find("\uFFFD") < text.size() ? text.find("\uFFFD") : std::string::npos);
    }
    EXPECT_EQ(text + decoder.finish(), tokenizer.decode(ids));
  }
}

TEST(StreamingDecoder, HoldsBackIncompleteCharacters) {
  const Tokenizer tokenizer = support::tokenizer_from(support::tiny_document());
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(0xE2), "");
  EXPECT_EQ(decoder.push(0x82), "");
  EXPECT_EQ(decoder.push(0xAC), "€");
}

TEST(StreamingDecoder, WorksForDecodersThatSeeSeveralTokens) {
  base::Json document =
      support::character_document({"▁", "a", "b", "<0xE2>", "<0x82>", "<0xAC>", "▁a"}, {{"▁", "a"}});
  const base::Json replace = {{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}};
  const base::Json strip = {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}};
  document["decoder"] = {{"type", "Sequence"},
                         {"decoders", {replace, {{"type", "ByteFallback"}}, {{"type", "Fuse"}}, strip}}};
  const Tokenizer tokenizer = support::tokenizer_from(document);
  const Ids ids = {6, 6, 3, 4, 5, 0, 2, 6};
  StreamingDecoder decoder(tokenizer);
  std::vector<std::string> pieces;
  for (const uint32_t id : ids) pieces.push_back(decoder.push(id));
  EXPECT_EQ(pieces, (std::vector<std::string>{"a", " a", "", "", "€", " ", "b", " a"}));
  EXPECT_EQ(decoder.finish(), "");
}

TEST(StreamingDecoder, SkipsSpecialTokens) {
  base::Json document = support::tiny_document();
  support::add_token(document, "<s>", {"special"});
  const Tokenizer tokenizer = support::tokenizer_from(document);
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(256) + decoder.push('a'), "a");
}

}  // namespace
}  // namespace cuset::text
