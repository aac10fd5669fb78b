// SHA-256 (FIPS 180-4): names content so that two different contents never meet under one name. For checksums
// against accidents alone, crc32c.h is faster.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuset::base {

class Sha256 {
 public:
  void update(std::string_view bytes);

  // 64 hexadecimal digits of all that was given so far; more can be added afterwards.
  std::string digest() const;

 private:
  void compress(const unsigned char* block);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  uint64_t length_ = 0;  // bytes given; its low six bits count those pending
};

std::string sha256(std::string_view bytes);

}  // namespace cuset::base
