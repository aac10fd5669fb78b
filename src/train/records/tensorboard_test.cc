#include "train/records/tensorboard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "base/files/temporary_folder.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

// A second implementation of the format, written for reading.
template <typename T>
T take(std::string_view& bytes) {
  T value{};
  EXPECT_GE(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

uint64_t take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(take<char>(bytes));
    value |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

// CRC-32C bit by bit.
uint32_t masked_checksum(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

std::vector<std::string> records_of(const fs::path& path) {
  const std::string content = base::read_file(path);
  std::string_view rest = content;
  std::vector<std::string> records;
  while (!rest.empty()) {
    const std::string_view length_bytes = rest.substr(0, 8);
    const auto length = take<uint64_t>(rest);
    EXPECT_EQ(take<uint32_t>(rest), masked_checksum(length_bytes));
    records.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
    EXPECT_EQ(take<uint32_t>(rest), masked_checksum(records.back()));
  }
  return records;
}

// "1=<time> 2=7 5={1={1=train/loss 2=0.5}}": fields and values, the wall time left out.
std::string dump(std::string_view message, const std::set<uint64_t>& messages = {5, 7, 51},
                 uint64_t path = 0) {
  std::string text;
  while (!message.empty()) {
    const uint64_t key = take_varint(message);
    const uint64_t number = key >> 3;
    text += fmt::format("{}{}=", text.empty() ? "" : " ", number);
    const uint64_t place = path * 10 + number;
    if ((key & 7) == 0) {
      text += fmt::format("{}", static_cast<int64_t>(take_varint(message)));
    } else if ((key & 7) == 1) {
      const auto seconds = take<double>(message);
      text += seconds > 1e9 ? "<time>" : fmt::format("{}", seconds);
    } else if ((key & 7) == 5) {
      text += fmt::format("{}", take<float>(message));
    } else {
      const uint64_t size = take_varint(message);
      const std::string_view inner = message.substr(0, size);
      message.remove_prefix(size);
      text += messages.contains(place) ? "{" + dump(inner, messages, place) + "}" : std::string(inner);
    }
  }
  return text;
}

std::vector<std::string> events_of(const fs::path& path) {
  std::vector<std::string> events;
  for (const std::string& record : records_of(path)) events.push_back(dump(record));
  return events;
}

using Events = std::vector<std::string>;

TEST(TensorBoardWriter, WritesVersionThenScalars) {
  const base::TemporaryFolder folder;
  TensorBoardWriter writer(folder / "runs");
  writer.add(7, {{"train/loss", 0.5}, {"train/grad_norm", 2}});
  writer.add(300, {{"eval/loss", -1.25}});
  writer.flush();
  EXPECT_EQ(
      events_of(writer.path()),
      (Events{"1=<time> 3=brain.Event:2", "1=<time> 2=7 5={1={1=train/loss 2=0.5} 1={1=train/grad_norm 2=2}}",
              "1=<time> 2=300 5={1={1=eval/loss 2=-1.25}}"}));
  EXPECT_TRUE(writer.path().filename().string().starts_with("events.out.tfevents."));
}

TEST(TensorBoardWriter, ResumedRunTellsReadersWhatToForget) {
  const base::TemporaryFolder folder;
  const TensorBoardWriter writer(folder.path(), 41);
  EXPECT_EQ(events_of(writer.path()), (Events{"1=<time> 3=brain.Event:2", "1=<time> 2=41 7={1=1}"}));
}

TEST(TensorBoardWriter, LaterFilesSortBehindEarlierOnes) {
  const base::TemporaryFolder folder;
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) names.push_back(TensorBoardWriter(folder.path()).path().filename().string());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 5u);
}

TEST(TensorBoardWriter, NothingIsWrittenBeforeFlush) {
  const base::TemporaryFolder folder;
  TensorBoardWriter writer(folder.path());
  const auto before = fs::file_size(writer.path());
  writer.add(1, {{"train/loss", 1}});
  EXPECT_EQ(fs::file_size(writer.path()), before);
  writer.flush();
  EXPECT_GT(fs::file_size(writer.path()), before);
}

}  // namespace
}  // namespace cuset::train
