#include "report/packed_text.h"

#include <zlib.h>

#include "base/error.h"

namespace cuset::report {
namespace {

std::string compressed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  CUSET_CHECK(status == Z_OK, "zlib's compress2 gives {}", status);
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    unsigned word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += k <= group.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

}  // namespace

std::string packed_text(std::string_view text) { return base64(compressed(text)); }

}  // namespace cuset::report
