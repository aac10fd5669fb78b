#include "train/records/tensorboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>

#include "base/files/crc32c.h"
#include "base/files/make_folder.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileStart = "events.out.tfevents.";
constexpr size_t kSecondsDigits = 10;
constexpr uint64_t kSessionStart = 1;

template <typename T>
std::string raw_bytes(T value) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes += static_cast<char>(value);
}

// Protobuf fields: the key is the field's number and the wire type.
std::string varint_field(uint32_t number, uint64_t value) { return varint(number << 3) + varint(value); }
std::string double_field(uint32_t number, double value) { return varint(number << 3 | 1) + raw_bytes(value); }
std::string float_field(uint32_t number, float value) { return varint(number << 3 | 5) + raw_bytes(value); }
std::string bytes_field(uint32_t number, std::string_view bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event(int64_t step, std::string_view what) {
  std::string data = double_field(1, seconds_since_1970());
  if (step != 0) data += varint_field(2, static_cast<uint64_t>(step));
  return data += what;
}

uint32_t masked_checksum(std::string_view bytes) { return std::rotr(base::crc32c(bytes), 15) + 0xa282ead8u; }

// The seconds in the name of an event file, or 0 for other files.
int64_t seconds_in(const std::string& name) {
  if (!name.starts_with(kFileStart)) return 0;
  int64_t seconds = 0;
  const char* begin = name.data() + kFileStart.size();
  const size_t digits = std::min(kSecondsDigits, name.size() - kFileStart.size());
  return std::from_chars(begin, begin + digits, seconds).ec == std::errc() ? seconds : 0;
}

// Now, or later where a file of this second or of a faster clock is there already.
int64_t seconds_for_new_file(const fs::path& folder) {
  auto seconds = static_cast<int64_t>(seconds_since_1970());
  std::error_code failed;  // a folder that cannot be read says nothing about its files
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    seconds = std::max(seconds, seconds_in(entry.path().filename().string()) + 1);
  }
  return seconds;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

}  // namespace

TensorBoardWriter::TensorBoardWriter(const fs::path& folder, std::optional<int64_t> forget_from_step) {
  base::make_folder(folder);
  path_ = folder /
          fmt::format("{}{:010}.{}.{}.0", kFileStart, seconds_for_new_file(folder), host_name(), ::getpid());
  file_ = base::open_file(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  add_record(event(0, bytes_field(3, "brain.Event:2")));
  if (forget_from_step) {
    add_record(event(*forget_from_step, bytes_field(7, varint_field(1, kSessionStart))));
  }
  flush();
}

void TensorBoardWriter::add(int64_t step, const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars) {
    summary += bytes_field(1, bytes_field(1, scalar.tag) + float_field(2, static_cast<float>(scalar.value)));
  }
  add_record(event(step, bytes_field(5, summary)));
}

void TensorBoardWriter::add_record(std::string_view data) {
  const std::string length = raw_bytes(static_cast<uint64_t>(data.size()));
  waiting_ += length;
  waiting_ += raw_bytes(masked_checksum(length));
  waiting_ += data;
  waiting_ += raw_bytes(masked_checksum(data));
}

void TensorBoardWriter::flush() {
  while (!waiting_.empty()) {
    const ssize_t count = ::write(file_.get(), waiting_.data(), waiting_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw base::file_error("append to", path_, errno);
    waiting_.erase(0, static_cast<size_t>(count));
  }
}

}  // namespace cuset::train
