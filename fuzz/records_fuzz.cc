// RecordReader on any bytes: an array gives its elements in order, anything else what the lines give; a fault
// is told with its place.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "data/record_reader.h"

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void require(bool condition) {
  if (!condition) std::abort();
}

// All records, one to a line, and "!" where an error ends them.
template <typename Reader>
std::string records_of(const std::string& path) {
  std::string out;
  try {
    Reader reader(path);
    while (const auto record = reader.next()) out += cuset::base::to_json_line(*record) + "\n";
  } catch (const cuset::base::Error& error) {
    require(!error.one_line().empty());
    out += "!";
  }
  return out;
}

std::string elements_of(std::string_view text) {
  const auto parsed = cuset::base::try_parse_json(text);
  const auto* array = std::get_if<cuset::base::Json>(&parsed);
  if (array == nullptr) return "!";
  std::string out;
  for (const cuset::base::Json& element : *array) out += cuset::base::to_json_line(element) + "\n";
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cuset::base::set_log_level(cuset::base::LogLevel::kSilent);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const cuset::base::FileDescriptor file(::memfd_create("records", MFD_CLOEXEC));
  require(::pwrite(file.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const std::string records = records_of<cuset::data::RecordReader>(path);
  const std::string_view unmarked = text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  const size_t first = unmarked.find_first_not_of(" \t\r\n\v\f");
  const bool is_array = first != std::string_view::npos && unmarked[first] == '[';
  require(records == (is_array ? elements_of(unmarked) : records_of<cuset::base::JsonlReader>(path)));
  return 0;
}
