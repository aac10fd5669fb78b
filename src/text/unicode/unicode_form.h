// Unicode's normalization forms with the place of every character (UAX #15).
//
// The algorithm is the standard one: decompose each character, sort combining marks by class within each run,
// then for NFC and NFKC join each starter with the marks that are not blocked. Decompositions, classes and
// pairs come from utf8proc.
#pragma once

#include "text/unicode/aligned_text.h"

namespace cuset::text {

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

// Puts `text` into the form. Text that is in the form already is left borrowed where that is cheap to see.
void normalize_unicode(AlignedText& text, UnicodeForm form);

}  // namespace cuset::text
