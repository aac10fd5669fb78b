#include "base/files/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace cuset::base {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
constexpr size_t kStride = 8;

using Tables = std::array<std::array<uint32_t, 256>, kStride>;

// Table k gives the effect of a byte that k further bytes follow.
constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? kReflectedPolynomial : 0);
    tables[0][byte] = value;
  }
  for (size_t k = 1; k < kStride; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = previous >> 8 ^ tables[0][previous & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

uint32_t eight_bytes(uint32_t value, const std::byte* bytes) {
  uint32_t low = 0;
  uint32_t high = 0;
  std::memcpy(&low, bytes, 4);
  std::memcpy(&high, bytes + 4, 4);
  low ^= value;
  return kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^
         kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^
         kTables[1][high >> 16 & 0xff] ^ kTables[0][high >> 24];
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) uint32_t by_instruction(std::span<const std::byte> bytes, uint32_t before) {
  uint64_t value = static_cast<uint32_t>(~before);
  for (; bytes.size() >= kStride; bytes = bytes.subspan(kStride)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    value = __builtin_ia32_crc32di(value, word);
  }
  auto rest = static_cast<uint32_t>(value);
  for (const std::byte byte : bytes) rest = __builtin_ia32_crc32qi(rest, std::to_integer<uint8_t>(byte));
  return ~rest;
}

#endif

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return by_instruction(bytes, before);
#endif
  return crc32c_by_tables(bytes, before);
}

uint32_t crc32c_by_tables(std::span<const std::byte> bytes, uint32_t before) {
  uint32_t value = ~before;
  for (; bytes.size() >= kStride; bytes = bytes.subspan(kStride)) value = eight_bytes(value, bytes.data());
  for (const std::byte byte : bytes) {
    value = value >> 8 ^ kTables[0][(value ^ std::to_integer<uint32_t>(byte)) & 0xff];
  }
  return ~value;
}

uint32_t crc32c(std::string_view text, uint32_t before) {
  return crc32c(std::as_bytes(std::span(text.data(), text.size())), before);
}

}  // namespace cuset::base
