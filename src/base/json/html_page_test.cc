#include "base/json/html_page.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::base {
namespace {

TEST(HtmlPage, EscapesTextForTagsAndAttributes) {
  EXPECT_EQ(html_escaped("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
}

TEST(HtmlPage, JsonClosesNoScript) {
  const Json value = {"</script><!--", "a\u2028b", "bad \xff byte"};
  const std::string text = json_for_script(value);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(parse_json(text, "page"), (Json{"</script><!--", "a\u2028b", "bad \ufffd byte"}));
}

TEST(HtmlPage, PlacesInsideValuesStay) {
  EXPECT_EQ(fill_page("<p>{{a}}</p>{{b}}.", {{"a", "{{b}}"}, {"b", "{{a}}"}}), "<p>{{b}}</p>{{a}}.");
}

TEST(HtmlPage, PlacesAndValuesBelongTogether) {
  EXPECT_THROW(fill_page("{{a}}", {}), CheckFailure);
  EXPECT_THROW(fill_page("none", {{"a", "1"}}), CheckFailure);
  EXPECT_THROW(fill_page("{{a", {{"a", "1"}}), CheckFailure);
}

}  // namespace
}  // namespace cuset::base
