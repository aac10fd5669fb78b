#include "cli/commands/tokenize/tokenize.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "support/tiny_tokenizer.h"

namespace cuset::cli {
namespace {

text::Tokenizer tiny_tokenizer() {
  return text::Tokenizer::from_json(support::tiny_document({{"a", "b"}}).dump(), "tiny");
}

std::string output_for(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  tokenize_lines(tiny_tokenizer(), {}, in, out);
  return out.str();
}

std::string complaint_about(const char* ids) {
  try {
    ids_from_json(base::parse_json(ids, "test"), "stdin:3");
  } catch (const base::Error& error) {
    return error.one_line();
  }
  return "accepted";
}

TEST(Tokenize, EveryLineHasItsAnswerAlsoEmptyOnes) {
  EXPECT_EQ(output_for("ab\n\nc"),
            "{\"ids\":[256],\"offsets\":[[0,2]]}\n"
            "{\"ids\":[],\"offsets\":[]}\n"
            "{\"ids\":[99],\"offsets\":[[0,1]]}\n");
  EXPECT_EQ(output_for(""), "");
}

TEST(Tokenize, RefusedTextNamesItsLine) {
  try {
    output_for("ab\n\xff\n");
    FAIL() << "accepted";
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 9), "stdin:2: ");
  }
}

TEST(Tokenize, IdsComeInAnObjectOrBare) {
  const std::vector<uint32_t> wanted = {1, 4294967295};
  EXPECT_EQ(ids_from_json(base::parse_json("{\"ids\": [1, 4294967295], \"offsets\": []}", "test"), "place"),
            wanted);
  EXPECT_EQ(ids_from_json(base::parse_json("[1, 4294967295]", "test"), "place"), wanted);
}

TEST(Tokenize, WhatIsNoIdIsRefusedWithItsPlace) {
  EXPECT_EQ(complaint_about("[-1]"), "stdin:3: \"-1\" is not a token id");
  EXPECT_EQ(complaint_about("[4294967296]"), "stdin:3: \"4294967296\" is not a token id");
  EXPECT_EQ(complaint_about("[1.5]"), "stdin:3: \"1.5\" is not a token id");
  EXPECT_EQ(complaint_about("{\"text\": \"ab\"}"),
            "stdin:3: neither {\"ids\": [...]} nor [...] (--decode reads what `cuset tokenize` prints)");
}

}  // namespace
}  // namespace cuset::cli
