#include "text/tokenizer/byte_alphabet.h"

#include <array>

#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

constexpr char32_t kFirstStandIn = 0x100;
constexpr int kStandIns = 68;

constexpr bool stands_for_itself(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Tables {
  std::array<char32_t, 256> to_char{};
  std::array<int16_t, kFirstStandIn + kStandIns> to_byte{};
};

constexpr Tables make_tables() {
  Tables tables;
  for (auto& byte : tables.to_byte) byte = -1;
  char32_t next = kFirstStandIn;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t code = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
    tables.to_char[byte] = code;
    tables.to_byte[code] = static_cast<int16_t>(byte);
  }
  return tables;
}

constexpr Tables kTables = make_tables();
static_assert(kTables.to_char[' '] == 0x120);

}  // namespace

char32_t alphabet_char(uint8_t byte) { return kTables.to_char[byte]; }

std::string to_byte_alphabet(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char byte : bytes) append_utf8(out, alphabet_char(static_cast<uint8_t>(byte)));
  return out;
}

std::optional<std::string> from_byte_alphabet(std::string_view token) {
  std::string bytes;
  bytes.reserve(token.size());
  for (size_t i = 0; i < token.size();) {
    const Utf8Char c = decode_utf8(token, i);
    if (c.code >= kTables.to_byte.size() || kTables.to_byte[c.code] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(kTables.to_byte[c.code]));
    i += c.size;
  }
  return bytes;
}

}  // namespace cuset::text
