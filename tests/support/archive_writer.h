// Writes small tar.gz archives, good and bad ones.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cstring>
#include <string>

namespace cuset::support {

struct TarEntry {
  std::string name;
  std::string content;
  char type = '0';
  std::string prefix = "";
};

inline std::string tar_entry(const TarEntry& entry) {
  std::string header(512, '\0');
  const auto put = [&](size_t at, const std::string& text) {
    std::memcpy(header.data() + at, text.data(), text.size());
  };
  put(0, entry.name.substr(0, 100));
  put(100, "0000644");
  put(124, fmt::format("{:011o}", entry.content.size()));
  put(148, "        ");
  header[156] = entry.type;
  put(257, std::string("ustar\0"
                       "00",
                       8));
  put(345, entry.prefix.substr(0, 155));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}\0 ", sum));
  return header + entry.content + std::string((512 - entry.content.size() % 512) % 512, '\0');
}

inline std::string tar_end() { return std::string(1024, '\0'); }

// "length key=value\n"; the length counts itself.
inline std::string pax_record(const std::string& key, const std::string& value) {
  const size_t rest = key.size() + value.size() + 3;
  size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) ++length;
  return fmt::format("{} {}={}\n", length, key, value);
}

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace cuset::support
