#include "base/json/json.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::base {
namespace {

std::string error_of(std::string_view text) {
  try {
    return "value " + to_json_line(parse_json(text, "a.json"));
  } catch (const Error& error) {
    return error.one_line();
  }
}

std::string nested(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(ParseJson, ValuesSurviveWriting) {
  const std::pair<std::string, std::string> cases[] = {
      {" {\"b\" : 1, \"a\" : [ true, null, -2.5e3 ] } ", R"({"b":1,"a":[true,null,-2500.0]})"},
      {R"({"z":{},"a":[],"m":""})", R"({"z":{},"a":[],"m":""})"},
      {R"("\u00e9\ud83d\ude00\n\/")", "\"\xc3\xa9\xf0\x9f\x98\x80\\n/\""},
      {"\xEF\xBB\xBF[1]", "[1]"},
      {"-0", "0"},
      {"-0.0", "-0.0"},
      {"[[1],{\"a\":[{}]},2]", "[[1],{\"a\":[{}]},2]"},
  };
  for (const auto& [text, dump] : cases) EXPECT_EQ(to_json_line(parse_json(text, "a.json")), dump) << text;
}

TEST(ParseJson, BigNumbers) {
  EXPECT_EQ(parse_json("18446744073709551615", "a").get<uint64_t>(), UINT64_MAX);
  EXPECT_EQ(parse_json("-9223372036854775808", "a").get<int64_t>(), INT64_MIN);
  EXPECT_TRUE(parse_json("18446744073709551616", "a").is_number_float());
  EXPECT_EQ(parse_json("18446744073709551616", "a").get<double>(), 18446744073709551616.0);
  EXPECT_EQ(parse_json("1e-400", "a").get<double>(), 0.0);
  EXPECT_EQ(parse_json("1.7976931348623157e308", "a").get<double>(), 1.7976931348623157e308);
  EXPECT_EQ(
      error_of("[1, 1e400]"),
      R"(a.json: not valid JSON at line 1, column 9: number overflow parsing '1e400' near "[1, 1e400]")");
}

TEST(ParseJson, ErrorsNameLineColumnAndReason) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "line 1, column 1: syntax error while parsing value - unexpected end of input"},
      {"{\"a\": 1,\n \"b\": nul}",
       "line 2, column 10: syntax error while parsing value - invalid literal near"},
      {"[1, 2", "line 1, column 6: syntax error while parsing array - unexpected end of input; expected ']'"},
      {"{\"a\" 1}",
       "line 1, column 6: syntax error while parsing object separator - unexpected number literal; "
       "expected ':'"},
      {"[1,]", "line 1, column 4: syntax error while parsing value - unexpected ']'"},
      {"1 2",
       "line 1, column 3: syntax error while parsing value - unexpected number literal; expected end of "
       "input"},
      {"[NaN]", "line 1, column 2: syntax error while parsing value - invalid literal"},
      {"\"a\nb\"", "line 1, column 3: syntax error while parsing value - invalid string: control character"},
      {"\"\\ud800\"", "line 1, column 8: syntax error while parsing value - invalid string: surrogate"},
  };
  for (const auto& [text, place] : cases) {
    EXPECT_EQ(error_of(text).substr(0, 26 + place.size()), "a.json: not valid JSON at " + place) << text;
  }
}

TEST(ParseJson, InvalidUtf8IsRefusedAndNeverPrinted) {
  for (const std::string bytes : {"\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\xaf"}) {
    const std::string error = error_of("[\"ab" + bytes + "\"]");
    EXPECT_NE(error.find("line 1, column "), std::string::npos) << error;
    EXPECT_NE(error.find("ill-formed UTF-8 byte"), std::string::npos) << error;
    EXPECT_TRUE(std::all_of(error.begin(), error.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
        << error;
  }
}

TEST(ParseJson, ErrorsStayShortWhateverTheInput) {
  const std::string start[] = {"", "\"", "[", "{\"", "nul"};
  for (const std::string& text : start) {
    for (const char c : {'x', '9', '\x1b', '\xff'}) {
      EXPECT_LT(error_of(text + std::string(1 << 20, c)).size(), 500u);
    }
  }
}

TEST(ParseJson, NestingIsLimited) {
  EXPECT_EQ(to_json_line(parse_json(nested(512), "a")), nested(512));
  EXPECT_EQ(error_of("[\"[[\\\"\",\n" + nested(512) + "]"),
            "a.json: not valid JSON at line 2, column 512: nested deeper than 512 levels");
  EXPECT_EQ(error_of(std::string(5'000'000, '[')),
            "a.json: not valid JSON at line 1, column 513: nested deeper than 512 levels");
  std::string objects;
  for (int i = 0; i < 513; ++i) objects += "{\"a\":";
  EXPECT_NE(error_of(objects).find("nested deeper"), std::string::npos);
}

TEST(ParseJson, RepeatedKeyKeepsFirstPlaceAndLastValue) {
  EXPECT_EQ(to_json_line(parse_json(R"({"a":1,"b":2,"a":{"c":3},"a":[4]})", "a")), R"({"a":[4],"b":2})");
  Json expected = Json::object();
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += fmt::format("\"k{}\":{},", i % 40, i);
  for (int i = 0; i < 40; ++i) expected[fmt::format("k{}", i)] = i < 20 ? 80 + i : 40 + i;
  text.back() = '}';
  EXPECT_EQ(to_json_line(parse_json(text, "a")), to_json_line(expected));
}

// Takes minutes where keys are looked up one by one.
TEST(ParseJson, ObjectsWithVeryManyKeysAreNotQuadratic) {
  std::string text = "{";
  for (int64_t i = 0; i < 500'000; ++i) text += fmt::format("\"{:06}\":{},", i * 7919 % 400'000, i);
  text.back() = '}';
  const Json value = parse_json(text, "a");
  EXPECT_EQ(value.size(), 400'000u);
  EXPECT_EQ(value.begin().key(), "000000");
  EXPECT_EQ(value.begin().value(), 400'000);
}

TEST(JsonFile, WritesAndReadsIndented) {
  const TemporaryFolder folder;
  write_json_file(folder / "a.json", {{"b", 1}, {"a", {1, 2}}});
  EXPECT_EQ(read_file(folder / "a.json"), "{\n  \"b\": 1,\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
  EXPECT_EQ(read_json_file(folder / "a.json"), Json({{"b", 1}, {"a", {1, 2}}}));
}

TEST(JsonLine, NeverHoldsANewlineOrInvalidText) {
  EXPECT_EQ(to_json_line({{"a", "x\ny\r\xff"}, {"b", std::nan("")}}),
            "{\"a\":\"x\\ny\\r\xEF\xBF\xBD\",\"b\":null}");
}

}  // namespace
}  // namespace cuset::base
