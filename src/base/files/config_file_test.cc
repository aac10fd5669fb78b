#include "base/files/config_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::base {
namespace {

// "key@line=value" for a scalar, "key@line=[a,b]" for a list; one per line.
std::string dump(std::string_view text) {
  std::string out;
  for (const ConfigEntry& entry : parse_config(text, "c.yaml")) {
    std::string values;
    for (const std::string& value : entry.values) values += (values.empty() ? "" : ",") + value;
    if (entry.is_list) values = "[" + values + "]";
    out += entry.key + "@" + std::to_string(entry.line) + "=" + values + "\n";
  }
  return out;
}

std::string complaint(std::string_view text) {
  try {
    parse_config(text, "c.yaml");
  } catch (const UsageError& error) {
    return error.one_line();
  }
  return "accepted";
}

TEST(ConfigFile, ReadsScalarsAndLists) {
  EXPECT_EQ(dump(""), "");
  EXPECT_EQ(dump("# only a comment\n"), "");
  EXPECT_EQ(dump("a: 1\n\nb: 1.0e-4 # rate\nc: 'x: y'\n"), "a@1=1\nb@3=1.0e-4\nc@4=x: y\n");
  EXPECT_EQ(dump("t: [q_proj, v_proj]\nu:\n  - x\n  - y\n"), "t@1=[q_proj,v_proj]\nu@2=[x,y]\n");
  EXPECT_EQ(dump("a: null\nb: ~\nc:\nd: []\n"), "a@1=\nb@2=\nc@3=\nd@4=[]\n");
}

TEST(ConfigFile, RefusesWithFileAndLine) {
  EXPECT_EQ(
      complaint("a: 1\nb:\n  c: 2\n"),
      "c.yaml:3: key 'b' holds a nested structure (keys are flat: one value or one list of values each)");
  EXPECT_EQ(complaint("a: 1\nb: 2\na: 3\n"), "c.yaml:3: key 'a' appears twice");
  EXPECT_EQ(complaint("- a\n- b\n"), "c.yaml:1: not a mapping (write lines of the form key: value)");
  EXPECT_EQ(complaint("a: 1\n---\nb: 2\n"), "c.yaml: 2 YAML documents (keep one per file)");
  EXPECT_EQ(complaint("{\"prompt\": 1}\n{\"prompt\": 2}\n"),
            "c.yaml: 2 YAML documents (it looks like JSONL: --data takes data)");
  EXPECT_EQ(complaint("a: [1, 2\n").substr(0, 26), "c.yaml:2: not valid YAML: ");
  EXPECT_EQ(complaint("[a, b]: 1\n"), "c.yaml:1: a key is not plain text");
}

TEST(ConfigFile, EveryPrefixIsReadOrRefused) {
  const std::string text = "a: &x [1, \"two\\n\", 'three']\nb: *x\n? c\n: |\n  block\n  text\n";
  for (size_t length = 0; length <= text.size(); ++length) {
    EXPECT_NO_THROW(complaint(std::string_view(text).substr(0, length))) << length;
  }
}

TEST(ConfigFile, NestedKeysGetDotsOnRequest) {
  const auto entries =
      parse_config("a: 1\nb:\n  c: 2\n  d:\n    e: [3, 4]\n", "c.yaml", NestedKeys::kFlatten);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[1].key, "b.c");
  EXPECT_EQ(entries[1].line, 3);
  EXPECT_EQ(entries[2].key, "b.d.e");
  EXPECT_EQ(entries[2].values, (std::vector<std::string>{"3", "4"}));
}

}  // namespace
}  // namespace cuset::base
