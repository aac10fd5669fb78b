// Patterns of tokenizer files, written for the Oniguruma library (Ruby's syntax), as patterns for PCRE2.
//
// Where the two read the same text differently the pattern is rewritten:
//   \s \S     white space by Unicode's White_Space (PCRE2 would add U+180E)
//   \w \W \b  word characters are \p{L} \p{M} \p{Nd} \p{Nl} \p{Pc}, circled letters, ²³¹¼½¾
//   \p{Lu}    general categories, with the characters of unicode_additions.h
//   \v \uHHHH a vertical tab (PCRE2: a class); a character by its number
// What is left out is refused, never guessed: nested classes and `&&`, POSIX classes, scripts and other
// properties, back-references, named groups, options other than (?i), `{n,m}+` (greedy in one, possessive in
// the other).
#pragma once

#include <string>
#include <string_view>

namespace cuset::text {

// The PCRE2 form of `pattern` (valid UTF-8), for the options UTF, UCP and MULTILINE.
// Throws Error, opening with `where`, that names the construct and its position.
std::string to_pcre2_pattern(std::string_view pattern, std::string_view where);

}  // namespace cuset::text
