#include "base/json/json_cursor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/error_text.h"

namespace cuset::base {
namespace {

const Json kDocument = Json::parse(R"({
  "name": "gemm", "empty": "", "count": 3, "whole": 4.0, "half": 0.5, "negative": -2, "big": 18446744073709551615,
  "on": true, "nothing": null, "text": "{\"a\": [1]}", "torn": "{\"a\": [1", "bench.cu": 1, "two words": 1,
  "inputs": [{"shape": [2, 3], "domain": {"kind": "nomal"}}, {"shape": [2, "x"]}, 7],
  "names": ["a", "b"]
})");

JsonCursor top() { return JsonCursor(kDocument, "t.jsonl:7"); }

TEST(JsonCursor, ReadsEveryKindOfValue) {
  EXPECT_EQ(top().at("name").string(), "gemm");
  EXPECT_EQ(top().at("count").integer(0, 3), 3);
  EXPECT_EQ(top().at("whole").integer(), 4);
  EXPECT_EQ(top().at("negative").integer(-2, 0), -2);
  EXPECT_EQ(top().at("big").unsigned_integer(), UINT64_MAX);
  EXPECT_EQ(top().at("half").number(), 0.5);
  EXPECT_EQ(top().at("half").positive_number(), 0.5);
  EXPECT_TRUE(top().at("on").boolean());
  EXPECT_EQ(top().at("names").strings(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(top().at("text").json_in_string(), (Json{{"a", {1}}}));
  EXPECT_EQ(top().at("inputs").elements()[1].at("shape").elements()[0].integer(), 2);
  const auto members = top().at("inputs").elements()[0].members();
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[1].key, "domain");
  EXPECT_EQ(members[1].value.path(), "inputs[0].domain");
}

TEST(JsonCursor, AbsentAndNullFieldsTakeTheFallback) {
  for (const char* key : {"nothing", "no_such"}) {
    const JsonCursor field = top().get(key);
    EXPECT_TRUE(field.is_absent());
    EXPECT_TRUE(field.value().is_null());
    EXPECT_EQ(field.string_or("x"), "x");
    EXPECT_EQ(field.integer_or(5, 0, 1), 5);
    EXPECT_EQ(field.number_or(0.25), 0.25);
    EXPECT_TRUE(field.boolean_or(true));
    EXPECT_TRUE(field.elements_or_none().empty());
    EXPECT_TRUE(field.strings_or_none().empty());
    EXPECT_TRUE(field.get("below").is_absent());
  }
  EXPECT_EQ(top().get("name").string_or("x"), "gemm");
  EXPECT_EQ(top().get("names").strings_or_none().size(), 2u);
}

TEST(JsonCursor, PathsLeadToTheValue) {
  EXPECT_EQ(top().path(), "");
  EXPECT_EQ(top().get("inputs").elements()[1].get("shape").elements()[1].path(), "inputs[1].shape[1]");
  EXPECT_EQ(top().get("inputs").elements()[0].get("a").get("b").path(), "inputs[0].a.b");
  EXPECT_EQ(top().get("nothing").get("b").path(), "nothing.b");
  EXPECT_EQ(top().get("bench.cu").path(), "bench.cu");
  EXPECT_EQ(top().get("two words").path(), "[\"two words\"]");
  EXPECT_EQ(top().get("a\nb").path(), "[\"a\\nb\"]");
  const JsonCursor part(kDocument, "t.jsonl:7", "oracle.parameters");
  EXPECT_EQ(part.path(), "oracle.parameters");
  EXPECT_EQ(part.get("names").elements()[1].path(), "oracle.parameters.names[1]");
}

TEST(JsonCursor, MessagesNameFilePlaceWantedAndFound) {
  const struct {
    std::function<void()> read;
    const char* message;
  } cases[] = {
      {[] { top().at("count").string(); }, "field 'count' must be a string, found the number 3"},
      {[] { top().at("name").number(); }, "field 'name' must be a number, found the string \"gemm\""},
      {[] { top().at("name").boolean(); }, "field 'name' must be true or false, found the string \"gemm\""},
      {[] { top().at("on").string(); }, "field 'on' must be a string, found true"},
      {[] { top().at("nothing").string(); }, "field 'nothing' must be a string, found null"},
      {[] { top().at("inputs").string(); }, "field 'inputs' must be a string, found a list"},
      {[] { top().at("name").elements(); }, "field 'name' must be a list, found the string \"gemm\""},
      {[] { top().at("names").members(); }, "field 'names' must be an object, found a list"},
      {[] { top().at("names").get("a"); }, "field 'names' must be an object, found a list"},
      {[] { top().at("empty").nonempty_string(); }, "field 'empty' must not be empty"},
      {[] { top().at("negative").positive_number(); },
       "field 'negative' must be a number above 0, found the number -2"},
      {[] { top().at("no_such"); }, "field 'no_such' is missing"},
      {[] { top().get("no_such").string(); }, "field 'no_such' is missing; it must be a string"},
      {[] { top().get("no_such").get("b").elements(); }, "field 'no_such.b' is missing; it must be a list"},
      {[] { top().at("inputs").elements()[1].at("shape").strings(); },
       "field 'inputs[1].shape[0]' must be a string, found the number 2"},
      {[] { top().at("inputs").elements()[2].at("shape"); },
       "field 'inputs[2]' must be an object, found the number 7"},
      {[] { top().string(); }, "the top level must be a string, found an object"},
  };
  for (const auto& [read, message] : cases) {
    EXPECT_EQ(support::error_of(read), std::string("t.jsonl:7: ") + message);
  }
  EXPECT_EQ(support::error_of([] {
              top().at("torn").json_in_string();
            }).find("t.jsonl:7: field 'torn' does not hold valid JSON: "),
            0u);
}

TEST(JsonCursor, FoundValuesAreDescribed) {
  EXPECT_EQ(top().at("name").found(), "the string \"gemm\"");
  EXPECT_EQ(top().at("half").found(), "the number 0.5");
  EXPECT_EQ(top().at("on").found(), "true");
  EXPECT_EQ(top().at("inputs").found(), "a list");
  EXPECT_EQ(top().found(), "an object");
}

TEST(JsonCursor, WholeNumbersKeepTheirLimits) {
  const auto refused = [](const char* key, int64_t low, int64_t high) {
    return support::error_of([&] { top().at(key).integer(low, high); });
  };
  const std::string field = "t.jsonl:7: field ";
  EXPECT_EQ(refused("count", 4, 9), field + "'count' must be a whole number from 4 to 9, found the number 3");
  EXPECT_EQ(refused("negative", 0, INT64_MAX),
            field + "'negative' must be a whole number of 0 or more, found the number -2");
  EXPECT_EQ(refused("count", INT64_MIN, 2),
            field + "'count' must be a whole number up to 2, found the number 3");
  EXPECT_EQ(refused("half", INT64_MIN, INT64_MAX),
            field + "'half' must be a whole number, found the number 0.5");
  EXPECT_EQ(refused("big", INT64_MIN, INT64_MAX),
            field + "'big' must be a whole number, found the number 18446744073709551615");
  EXPECT_EQ(refused("name", 0, 1),
            field + "'name' must be a whole number from 0 to 1, found the string \"gemm\"");
  EXPECT_EQ(support::error_of([] { top().at("negative").unsigned_integer(); }),
            field + "'negative' must be a whole number of 0 or more, found the number -2");
  for (const double number : {1e300, 0x1p53 + 2, std::numeric_limits<double>::infinity(), std::nan("")}) {
    const Json document = {{"n", number}};
    EXPECT_NE(support::error_of([&] { JsonCursor(document, "f").at("n").integer(); }), "no error") << number;
  }
}

TEST(JsonCursor, UnknownNamesComeWithTheNearestKnownOne) {
  const JsonCursor input = top().at("inputs").elements()[0];
  EXPECT_EQ(support::error_of([&] { input.expect_only({"shape", "domains"}); }),
            "t.jsonl:7: field 'inputs[0].domain' is not supported; did you mean 'domains'? (supported here: "
            "shape, domains)");
  EXPECT_EQ(support::error_of([&] { input.expect_only({"shape", "domain"}); }), "no error");
  EXPECT_EQ(support::error_of([&] { top().at("names").expect_only({}); }),
            "t.jsonl:7: field 'names' must be an object, found a list");
  const std::vector<std::string_view> kinds = {"normal", "uniform"};
  EXPECT_EQ(support::error_of([&] { input.at("domain").at("kind").refuse_name("a kind of domain", kinds); }),
            "t.jsonl:7: field 'inputs[0].domain.kind' must be a kind of domain, found the string \"nomal\"; "
            "did you mean 'normal'? (one of: normal, uniform)");
}

TEST(JsonCursor, RemediesHoldForEverythingBelow) {
  const JsonCursor advised = top().with_remedy("see docs/tasks.md");
  EXPECT_EQ(support::error_of([&] { advised.at("inputs").elements()[2].string(); }),
            "t.jsonl:7: field 'inputs[2]' must be a string, found the number 7 (see docs/tasks.md)");
  EXPECT_EQ(support::error_of([&] { advised.get("no_such").get("b").string(); }),
            "t.jsonl:7: field 'no_such.b' is missing; it must be a string (see docs/tasks.md)");
  EXPECT_EQ(support::error_of([&] { advised.at("count").refuse("is odd", "double it"); }),
            "t.jsonl:7: field 'count' is odd (double it)");
}

TEST(JsonMember, DamagedRecordsReadAsEmpty) {
  EXPECT_EQ(json_member(kDocument, "count"), 3);
  EXPECT_TRUE(json_member(kDocument, "no_such").is_null());
  EXPECT_TRUE(json_member(Json::array({1}), "a").is_null());
  EXPECT_EQ(json_string(kDocument, "name"), "gemm");
  EXPECT_EQ(json_string(kDocument, "count"), "");
  EXPECT_EQ(json_list(kDocument, "names").size(), 2u);
  EXPECT_EQ(json_list(kDocument, "name"), Json::array());
}

}  // namespace
}  // namespace cuset::base
