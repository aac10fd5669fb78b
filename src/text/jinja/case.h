// Upper, lower and title case as Python's str methods make them: full Unicode mappings ("ß" becomes "SS", a
// final sigma becomes "ς"), with the provenance of every character kept.
#pragma once

#include "text/jinja/value.h"

namespace cuset::text::jinja {

TextPtr upper_case(const Text& text, Budget& budget);
TextPtr lower_case(const Text& text, Budget& budget);
// str.capitalize: the first character in title case, the rest in lower case.
TextPtr capitalized(const Text& text, Budget& budget);
// str.title: every letter that follows a non-letter in title case, the rest in lower case.
TextPtr title_case(const Text& text, Budget& budget);
// The filter "title": words begin after blanks, hyphens and opening brackets only.
TextPtr title_words(const Text& text, Budget& budget);

}  // namespace cuset::text::jinja
