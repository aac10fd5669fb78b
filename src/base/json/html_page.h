// Pages that need nothing else: a template with places for text, style, script and data.
//
// A place reads {{name}}. Data travels as JSON inside a <script type="application/json"> element, in which
// every '<' is written \u003c, and the page's script puts it in place as text nodes: nothing in the data can
// become markup.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace cuset::base {

// Text that can stand between tags and in quoted attributes.
std::string html_escaped(std::string_view text);

// JSON that can stand inside a <script> element, on one line.
std::string json_for_script(const Json& value);

// `page` with each {{name}} replaced by its value, in one pass: places inside values stay as they are. A
// place without a value and a value without a place are bugs of ours (CUSET_CHECK).
std::string fill_page(std::string_view page,
                      const std::vector<std::pair<std::string_view, std::string_view>>& values);

}  // namespace cuset::base
