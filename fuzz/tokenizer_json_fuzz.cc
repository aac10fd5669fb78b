// Any bytes as a tokenizer.json give a tokenizer or an Error. What loads must encode and decode a fixed text
// with spans inside it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "text/tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = "int x = 12;\n  <s>café e\u0301 \u1112\u1161 漢字 I'LL  ";
  try {
    const auto tokenizer =
        cuset::text::Tokenizer::from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    for (const auto policy : {cuset::text::SpecialTokens::Parse, cuset::text::SpecialTokens::PlainText}) {
      const cuset::text::Encoding encoding = tokenizer.encode(text, {policy, true});
      if (encoding.ids.size() != encoding.spans.size()) std::abort();
      for (const auto& [begin, end] : encoding.spans) {
        if (begin > end || end > text.size()) std::abort();
      }
      tokenizer.decode(encoding.ids);
      cuset::text::StreamingDecoder decoder(tokenizer);
      for (const uint32_t id : encoding.ids) decoder.push(id);
      decoder.finish();
    }
  } catch (const cuset::base::Error&) {
  }
  return 0;
}
