// The template language, by a table of template -> text that Jinja2 with Hugging Face's settings agrees with
// (tests/interop checks the table itself), and what the table cannot hold: refusals, limits, provenance.
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/json/json.h"
#include "text/chat/chat_template.h"

namespace cuset::text {
namespace {

const base::Json& table() {
  static const base::Json kTable = base::read_json_file("testdata/templates/language.json");
  return kTable;
}

std::vector<std::string> features() {
  std::set<std::string> names;
  for (const base::Json& row : table()["cases"]) names.insert(row["feature"]);
  return {names.begin(), names.end()};
}

std::string render(const std::string& source, const base::Json& variables = base::Json::object(),
                   size_t work = size_t{1} << 26) {
  ChatOptions options;
  options.variables = variables;
  options.now.emplace();
  options.now->tm_year = 124;
  options.now->tm_mon = 6;
  options.now->tm_mday = 26;
  options.limits.work = work;
  return ChatTemplate::from_string(source, "t").render(base::Json::array(), options).text;
}

std::string error_of(const std::string& source, size_t work = size_t{1} << 26) {
  try {
    return "no error, but: " + render(source, base::Json::object(), work);
  } catch (const base::Error& error) {
    return error.what();
  }
}

class TemplateLanguage : public testing::TestWithParam<std::string> {};

TEST_P(TemplateLanguage, RendersAsJinja) {
  for (const base::Json& row : table()["cases"]) {
    if (row["feature"] != GetParam()) continue;
    const std::string source = row["template"];
    SCOPED_TRACE(source);
    if (row.contains("text")) {
      EXPECT_EQ(render(source, table()["variables"]), row["text"].get<std::string>());
    } else {
      EXPECT_THROW(render(source, table()["variables"]), base::Error);
    }
  }
}

std::string feature_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Feature, TemplateLanguage, testing::ValuesIn(features()), feature_name);

TEST(TemplateParser, RefusesByNameAndPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"a\n {% include 'x' %}", "t:2:5: tag 'include' is not supported"},
      {"{% extends 'x' %}", "t:1:4: tag 'extends' is not supported"},
      {"{{ 1 | urlize }}", "t:1:8: filter 'urlize' is not supported"},
      {"{{ 1 is filter }}", "t:1:9: test 'filter' is not supported"},
      {"{{ x.zfill(3) }}", "t:1:5: method 'zfill' is not supported"},
      {"{{ x.__class__ }}", "t:1:5: attribute '__class__' is not supported"},
      {"{{ f(*x) }}", "t:1:6: arguments with * or ** are not supported"},
      {"{% for x in y recursive %}{% endfor %}", "t:1:15: a recursive for is not supported"},
      {"{{ x[1, 2] }}", "t:1:7: a subscript of several parts is not supported"},
      {"{% if x %}", "t:1:11: the template ends where 'endif' is still missing"},
      {"{% break %}", "t:1:4: 'break' outside of a loop"},
      {"{% for x in y %}{% macro m() %}{% continue %}{% endmacro %}{% endfor %}",
       "t:1:35: 'continue' outside of a loop"},
      {"{% for x in y %}{% set loop = 1 %}{% endfor %}",
       "t:1:24: the special variable 'loop' cannot be assigned to inside a loop"},
      {"{{ 'abc }}", "t:1:4: the string has no closing quote"},
      {"{{ (1] }}", "t:1:6: unexpected ']'"},
      {"{{ 99999999999999999999 }}", "t:1:4: the number 99999999999999999999 does not fit 64 bits"},
      {"{# x", "t:1:3: the comment has no end"},
      {"{% set 1 = 2 %}", "t:1:8: this cannot be assigned to"},
      {"{{ }}", "t:1:4: expected an expression, found '}}'"},
      {"{{ \"\\ud800\" }}", "t:1:4: the escape U+D800 is not a character"},
  };
  for (const auto& [source, message] : cases) EXPECT_EQ(error_of(source), message);
}

TEST(TemplateParser, RefusesDeepNesting) {
  const auto nested = [](const std::string& open, const std::string& inner, const std::string& close,
                         int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += inner;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  for (const std::string& source :
       {"{{ " + nested("(", "1", ")", 5000) + " }}", "{{ " + nested("[", "", "]", 5000) + " }}",
        "{{ " + nested("not ", "1", "", 5000) + " }}", "{{ 1" + nested(" + 1", "", "", 5000) + " }}",
        "{{ x" + nested("|list", "", "", 5000) + " }}", nested("{% if 1 %}", "", "{% endif %}", 5000),
        "{{ " + nested("f(a=", "1", ")", 5000) + " }}"}) {
    EXPECT_NE(error_of(source).find("deeply"), std::string::npos) << error_of(source).substr(0, 200);
  }
}

TEST(TemplateEvaluator, StopsHostileTemplates) {
  const char* const kGrowing[] = {
      "{% set ns = namespace(s='ab') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
      "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
      "{{ 'x' * 1000000000000 }}",
      "{{ [1] * 1000000000000 }}",
      "{{ 'a' | indent(1000000000000, true) }}",
      "{% set ns = namespace(x=1) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x "
      "}}",
      "{% set a = namespace(x=1) %}{% set b = namespace(x=1) %}{% for i in range(60) %}{% set a.x = [a.x, "
      "a.x] %}"
      "{% set b.x = [b.x, b.x] %}{% endfor %}{{ a.x == b.x }}",
  };
  for (const char* source : kGrowing)
    EXPECT_NE(error_of(source).find("too much work"), std::string::npos) << source;
  EXPECT_NE(error_of("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").find("too deeply"),
            std::string::npos);
  EXPECT_NE(
      error_of("{% set ns = namespace(x=1) %}{% for i in range(999) %}{% set ns.x = [ns.x] %}{% endfor %}")
          .find("nests deeper"),
      std::string::npos);
}

TEST(TemplateEvaluator, LimitsTheOutput) {
  ChatOptions options;
  options.limits.output = 10;
  const auto chat = ChatTemplate::from_string("{% for i in range(6) %}ab{% endfor %}", "t");
  EXPECT_THROW(chat.render(base::Json::array(), options), base::Error);
  options.limits.output = 12;
  EXPECT_EQ(chat.render(base::Json::array(), options).text, "abababababab");
}

TEST(TemplateEvaluator, NamesThePlaceOfAFailure) {
  EXPECT_EQ(error_of("a\n{{ 1 +\n  missing }}"), "t:2:6: 'missing' is undefined");
  EXPECT_EQ(error_of("{{ 'x'|int + [] }}"), "t:1:12: unsupported operand types for +: 'int' and 'list'");
  EXPECT_EQ(error_of("{{ raise_exception('roles must alternate') }}"),
            "t:1:19: the template refuses this conversation: roles must alternate");
  EXPECT_EQ(error_of("{{ [1].append(2) }}"),
            "t:1:14: list.append() changes its object, which the sandbox of chat templates forbids");
}

// What Python's json.loads gives, printed by tojson.
TEST(TemplateEvaluator, ReadsJsonFromText) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"a": [1, -2.5e3, null, true, false], "b": {}})",
       R"({"a": [1, -2500.0, null, true, false], "b": {}})"},
      {R"( {"k": 1, "l": 2, "k": 3} )", R"({"k": 3, "l": 2})"},
      {R"("\u00e9\ud83d\ude00\n\/")", "\"é😀\\n/\""},
      {"[NaN, -Infinity, 0]", "[NaN, -Infinity, 0]"},
  };
  for (const auto& [json, text] : cases)
    EXPECT_EQ(render("{{ s | from_json | tojson }}", {{"s", json}}), text);
  for (const char* json :
       {"", "{", "[1,]", "{'a': 1}", "01", "1.", "1 2", "\"a\nb\"", "\"\\ud800\"", "\"\\x\"", "\"open"}) {
    EXPECT_THROW(render("{{ s | from_json }}", {{"s", json}}), base::Error) << json;
  }
  EXPECT_EQ(error_of("{{ [1] | from_json }}"), "t:1:10: from_json needs a string, not list");
  EXPECT_EQ(error_of("{{ '[1 2]' | from_json }}"),
            "t:1:14: from_json: not valid JSON at byte 3: expected ',' or ']'");
}

TEST(TemplateEvaluator, StatesItsOwnLimits) {
  EXPECT_EQ(error_of("{{ 2 ** 63 }}"), "t:1:6: an integer beyond 64 bits is not supported");
  EXPECT_NE(error_of("{{ [1]|map('string') }}").find("a generator cannot be printed"), std::string::npos);
  EXPECT_NE(error_of("{{ '%5d' % 1 }}").find("string format %5 is not supported"), std::string::npos);
}

}  // namespace
}  // namespace cuset::text
