#include "benchmarks/compute_eval/archive.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/files/file.h"
#include "base/human_readable.h"
#include "execute/build/companion_sources.h"

namespace cuset::benchmarks {
namespace {

constexpr size_t kBlock = 512;
constexpr const char* kFetchAgain = "the file is damaged: fetch it again";

// --- gzip ---

class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    CUSET_CHECK(inflateInit2(&stream_, 15 + 16) == Z_OK, "zlib");  // 16: with gzip's header
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `buffer` from at most `available` further bytes of input: zlib's code and the bytes made.
  std::pair<int, size_t> step(std::string& buffer, size_t available) {
    stream_.avail_in = static_cast<uInt>(std::min<size_t>(available, 1u << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    return {code, buffer.size() - stream_.avail_out};
  }
  const char* position() const { return reinterpret_cast<const char*>(stream_.next_in); }
  void next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

// --- tar ---

std::string_view field(std::string_view header, size_t at, size_t size) {
  const std::string_view all = header.substr(at, size);
  return all.substr(0, all.find('\0'));
}

std::optional<uint64_t> number(std::string_view text, int base) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The sum of the header's bytes, its own field taken as blanks.
uint64_t checksum(std::string_view header) {
  uint64_t sum = 8 * ' ';
  for (size_t i = 0; i < kBlock; ++i) {
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(header[i]);
  }
  return sum;
}

class TarReader {
 public:
  TarReader(std::string_view archive, size_t most_files, const std::string& name)
      : rest_(archive), most_files_(most_files), name_(name) {}

  std::map<std::string, std::string> files() {
    while (rest_.size() >= kBlock) {
      const std::string_view header = rest_.substr(0, kBlock);
      if (header.find_first_not_of('\0') == header.npos) return std::move(files_);
      take(header);
    }
    throw base::Error("{}: the archive ends without its closing blocks", name_)
        .with_remedy("{}", kFetchAgain);
  }

 private:
  void take(std::string_view header) {
    if (number(field(header, 148, 8), 8) != checksum(header))
      throw base::Error("{}: a tar header has a wrong checksum", name_).with_remedy("{}", kFetchAgain);
    const std::optional<uint64_t> declared = number(field(header, 124, 12), 8);
    const uint64_t size = long_size_.value_or(declared.value_or(UINT64_MAX));
    rest_.remove_prefix(kBlock);
    if (size > rest_.size())
      throw base::Error("{}: the archive ends within {}", name_, base::in_quotes(entry_name(header)))
          .with_remedy("{}", kFetchAgain);
    const std::string_view content = rest_.substr(0, size);
    rest_.remove_prefix(std::min<uint64_t>((size + kBlock - 1) / kBlock * kBlock, rest_.size()));
    keep(header, content);
  }

  void keep(std::string_view header, std::string_view content) {
    switch (header[156]) {
      case 'x':
        read_pax(content);
        return;
      case 'L':
        long_name_ = std::string(content.substr(0, content.find('\0')));
        return;
      case '0':
      case '\0':
        add_file(entry_name(header), content);
        break;
      default:
        break;
    }
    long_name_.reset();
    long_size_.reset();
  }

  std::string entry_name(std::string_view header) const {
    if (long_name_) return *long_name_;
    const std::string_view prefix = header.substr(257, 5) == "ustar" ? field(header, 345, 155) : "";
    const std::string name(field(header, 0, 100));
    return prefix.empty() ? name : std::string(prefix) + "/" + name;
  }

  // Records "length key=value\n"; those we need.
  void read_pax(std::string_view records) {
    while (!records.empty()) {
      const size_t blank = records.find(' ');
      const std::optional<uint64_t> length = number(records.substr(0, blank), 10);
      if (blank == records.npos || !length || *length <= blank + 1 || *length > records.size())
        throw base::Error("{}: a pax header is malformed", name_).with_remedy("{}", kFetchAgain);
      const std::string_view record = records.substr(blank + 1, *length - blank - 2);
      if (record.starts_with("path=")) long_name_ = std::string(record.substr(5));
      if (record.starts_with("size=")) long_size_ = number(record.substr(5), 10).value_or(UINT64_MAX);
      records.remove_prefix(*length);
    }
  }

  void add_file(std::string name, std::string_view content) {
    while (name.starts_with("./")) name.erase(0, 2);
    if (!execute::is_path_below(name))
      throw base::Error("{}: {} is not a relative path inside the archive", name_, base::in_quotes(name))
          .with_remedy("archives of this benchmark hold plain names: take it from its own source");
    if (files_.size() >= most_files_)
      throw base::Error("{}: more than {} files", name_, most_files_)
          .with_remedy("this is not a compute-eval archive");
    files_[std::move(name)] = std::string(content);
  }

  std::string_view rest_;
  size_t most_files_;
  const std::string& name_;
  std::map<std::string, std::string> files_;
  std::optional<std::string> long_name_;  // of the next entry
  std::optional<uint64_t> long_size_;
};

}  // namespace

bool looks_like_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view packed, uint64_t limit, const std::string& name) {
  Inflater inflater(packed);
  std::string buffer(size_t{1} << 16, '\0');
  std::string content;
  const char* const end = packed.data() + packed.size();
  for (;;) {
    const auto available = static_cast<size_t>(end - inflater.position());
    const auto [code, made] = inflater.step(buffer, available);
    if (content.size() + made > limit)
      throw base::Error("{}: unpacks to more than {}", name, base::human_bytes(limit))
          .with_remedy("this is not a compute-eval archive");
    content.append(buffer, 0, made);
    if (code == Z_STREAM_END) {
      if (inflater.position() == end) return content;
      inflater.next_member();
    } else if (code == Z_BUF_ERROR || (code == Z_OK && made == 0 && inflater.position() == end)) {
      throw base::Error("{}: the compressed data is cut off", name).with_remedy("{}", kFetchAgain);
    } else if (code != Z_OK) {
      throw base::Error("{}: the compressed data is damaged", name).with_remedy("{}", kFetchAgain);
    }
  }
}

std::map<std::string, std::string> read_tar(std::string_view archive, size_t most_files,
                                            const std::string& name) {
  return TarReader(archive, most_files, name).files();
}

std::map<std::string, std::string> read_tar_gz(const std::filesystem::path& path,
                                               const ArchiveLimits& limits) {
  return read_tar(gunzip(base::read_file(path), limits.unpacked, path.string()), limits.files, path.string());
}

}  // namespace cuset::benchmarks
