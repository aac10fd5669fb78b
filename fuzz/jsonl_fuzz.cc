// JsonlReader and JsonlWriter on any bytes. The reader must give what a plain split into lines gives,
// whatever the block size; the writer must refuse a file and leave it alone, or keep its whole lines and add
// one.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/jsonl.h"
#include "base/log.h"

namespace {

using cuset::base::FileDescriptor;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kLineLimit = 64;

void require(bool condition) {
  if (!condition) std::abort();
}

cuset::base::FileDescriptor in_memory(std::string_view content) {
  cuset::base::FileDescriptor file(::memfd_create("jsonl", MFD_CLOEXEC));
  require(::pwrite(file.get(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
  return file;
}

// One letter per line that is not blank: the value's text, or "!" for a line that is refused.
std::string expected_from(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    const bool overlong = line.size() > kLineLimit;
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (!overlong && line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto parsed = cuset::base::try_parse_json(line);
    const auto* value = std::get_if<cuset::base::Json>(&parsed);
    out += overlong || value == nullptr ? "!" : cuset::base::to_json_line(*value);
    out += '\n';
  }
  return out;
}

std::string read_with(std::string_view text, size_t block_size) {
  cuset::base::JsonlReader reader(in_memory(text), "f", {.line_limit = kLineLimit, .block_size = block_size});
  std::string out;
  for (;;) {
    try {
      const auto value = reader.next();
      if (!value) return out;
      out += cuset::base::to_json_line(*value) + "\n";
    } catch (const cuset::base::Error& error) {
      require(error.one_line().starts_with(reader.place() + ": ") && !error.remedy().empty());
      out += "!\n";
    }
  }
}

void append_to(std::string_view text) {
  const cuset::base::FileDescriptor file = in_memory(text);
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const std::string whole_lines(text.substr(0, text.rfind('\n') + 1));
  try {
    cuset::base::JsonlWriter writer(path, kLineLimit);
    writer.append({{"a", 1}});
    const std::string after = cuset::base::read_file(path);
    require(after.ends_with("{\"a\":1}\n"));
    const std::string_view before = std::string_view(after).substr(0, after.size() - 8);
    require(before == whole_lines + std::string(text.substr(whole_lines.size())) + "\n" ||
            before == whole_lines);
    require(before.size() >= text.size() || writer.cut_bytes() == text.size() - before.size());
  } catch (const cuset::base::Error&) {
    require(cuset::base::read_file(path) == text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cuset::base::set_log_level(cuset::base::LogLevel::kSilent);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string expected = expected_from(text);
  for (const size_t block_size : {size_t{1}, size_t{5}, size_t{1} << 16})
    require(read_with(text, block_size) == expected);
  append_to(text);
  return 0;
}
