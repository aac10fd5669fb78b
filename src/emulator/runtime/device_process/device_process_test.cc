#include "runtime/device_process/device_process.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "base/files/temporary_folder.h"
#include "device_account.h"
#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

namespace fs = std::filesystem;

// Allocations in ordinary memory; its only kernel, `twice`, doubles the float that its argument points to.
class FakeDevice : public Device {
 public:
  void begin(const MemoryBases&) override {}
  DeviceTraits traits() override { return {}; }
  std::vector<RemoteVariable> variables() override { return {}; }
  RemoteSymbols load(const RemoteImage& image) override {
    RemoteSymbols symbols;
    for (const std::string& name : image.kernels) symbols.kernels.push_back({name, {8}, 0, 1024});
    loaded.assign(image.bytes.begin(), image.bytes.end());
    return symbols;
  }
  void allocate(const Allocation& wanted) override {
    if (wanted.bytes > 1 << 20) throw ChannelBroken("too large");
    memory[wanted.address].resize(wanted.bytes);
  }
  void release(uint64_t address) override {
    if (memory.erase(address) == 0) throw ChannelBroken("not allocated");
  }
  void write(const Surface& to, std::span<const char> packed_bytes, const Box&) override {
    std::memcpy(at(to.address, packed_bytes.size()), packed_bytes.data(), packed_bytes.size());
  }
  void read(std::span<char> packed_bytes, const Surface& from, const Box&) override {
    std::memcpy(packed_bytes.data(), at(from.address, packed_bytes.size()), packed_bytes.size());
  }
  void copy(const Surface& to, const Surface& from, const Box& box) override {
    std::memmove(at(to.address, box.bytes()), at(from.address, box.bytes()), box.bytes());
  }
  void fill(const Surface& to, const Box& box, int value) override {
    std::memset(at(to.address, box.bytes()), value, box.bytes());
  }
  void look_at(uint64_t address, std::span<char> bytes) override {
    std::memcpy(bytes.data(), at(address, bytes.size()), bytes.size());
  }
  LaunchEnd launch(const std::string& name, const LaunchShape&,
                   const std::vector<std::span<char>>& arguments) override {
    if (name != "twice" || arguments.size() != 1 || arguments[0].size() != 8)
      throw ChannelBroken("no such kernel");
    uint64_t address;
    std::memcpy(&address, arguments[0].data(), 8);
    float value;
    std::memcpy(&value, at(address, 4), 4);
    value *= 2;
    std::memcpy(at(address, 4), &value, 4);
    return {};
  }
  void reset_variables() override {}
  int create_texture(const CusetTexture& texture, uint64_t& handle) override {
    textures.push_back(texture);
    handle = textures.size();
    return 0;
  }
  void destroy_texture(uint64_t handle) override { destroyed.push_back(handle); }

  std::vector<CusetTexture> textures;
  std::vector<uint64_t> destroyed;
  std::map<uint64_t, std::vector<char>> memory;
  std::vector<char> loaded;

 private:
  char* at(uint64_t address, uint64_t bytes) {
    const auto after = memory.upper_bound(address);
    if (after == memory.begin()) throw ChannelBroken("outside");
    auto& [begin, content] = *std::prev(after);
    const uint64_t offset = address - begin;
    if (offset > content.size() || bytes > content.size() - offset) throw ChannelBroken("outside");
    return content.data() + offset;
  }
};

// Replays requests from a file, as a proof's second way does.
class DeviceProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::create_directory(folder_ / CUSET_MASKS_FOLDER);
    fs::current_path(folder_.path());
  }
  void TearDown() override { fs::current_path(before_); }

  void request(const Message& message, std::span<const char> body) {
    const struct {
      uint32_t kind, unused;
      uint64_t bytes;
    } head{static_cast<uint32_t>(message.kind()), 0, body.size()};
    requests_.append(reinterpret_cast<const char*>(&head), sizeof head);
    requests_.append(body.data(), body.size());
  }
  void request(Message message) { request(message, message.rest()); }

  // A float of 3 goes up, is doubled, and comes down.
  void make_requests() {
    request(Message(MessageKind::kHello).put(MemoryBases{}));
    Message load(MessageKind::kLoad);
    load.put(uint64_t{1}).put_text("twice").put(uint64_t{0}).put_bytes("code", 4);
    request(load);
    request(Message(MessageKind::kAllocate).put(Allocation{kAddress, 64, MemoryKind::kDevice, 1, false}));
    const float three = 3;
    const Box box{4};
    request(Message(MessageKind::kWrite).put(Surface{kAddress, 4, 4}).put(box).put(three));
    Message launch(MessageKind::kLaunch);
    launch.put_text("twice").put(LaunchShape{{1, 1, 1}, {1, 1, 1}}).put(uint64_t{1});
    request(launch.put(uint32_t{8}).put(kAddress));
    request(Message(MessageKind::kRead).put(Surface{kAddress, 4, 4}).put(box));
    request(Message(MessageKind::kFree).put(kAddress));
  }

  CusetDeviceAccount serve(const std::string& requests) {
    std::ofstream(CUSET_REQUESTS_FILE, std::ios::binary) << requests;
    FakeDevice device;
    serve_program(device, ".");
    loaded_ = device.loaded;
    textures_ = device.textures;
    destroyed_ = device.destroyed;
    CusetDeviceAccount account{};
    std::ifstream(CUSET_ACCOUNT_FILE, std::ios::binary)
        .read(reinterpret_cast<char*>(&account), sizeof account);
    return account;
  }

  static constexpr uint64_t kAddress = 0x1000;
  cuset::base::TemporaryFolder folder_;
  fs::path before_;
  std::string requests_;
  std::vector<char> loaded_;
  std::vector<CusetTexture> textures_;
  std::vector<uint64_t> destroyed_;
};

TEST_F(DeviceProcessTest, ServesWhatAProgramAsksForAndWritesDownloadsDown) {
  make_requests();
  const CusetDeviceAccount account = serve(requests_);
  EXPECT_EQ(account.magic, static_cast<uint32_t>(CUSET_ACCOUNT_MAGIC));
  EXPECT_EQ(account.finished, 1u);
  EXPECT_EQ(account.launches, 1u);
  EXPECT_EQ(account.uploaded_bytes, 4u);
  EXPECT_EQ(account.downloads, 1u);
  EXPECT_EQ(std::string(loaded_.begin(), loaded_.end()), "code");
  std::ifstream downloads(CUSET_DOWNLOADS_FILE, std::ios::binary);
  uint64_t bytes = 0;
  float six = 0;
  downloads.read(reinterpret_cast<char*>(&bytes), 8).read(reinterpret_cast<char*>(&six), 4);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(six, 6);
}

TEST_F(DeviceProcessTest, TexturesAreMadeByTheDevice) {
  request(Message(MessageKind::kHello).put(MemoryBases{}));
  CusetTexture texture{};
  texture.width = 4;
  request(Message(MessageKind::kTexture).put(texture));
  request(Message(MessageKind::kDestroyTexture).put(uint64_t{1}));
  EXPECT_EQ(serve(requests_).finished, 1u);
  ASSERT_EQ(textures_.size(), 1u);
  EXPECT_EQ(textures_[0].width, 4u);
  EXPECT_EQ(destroyed_, std::vector<uint64_t>{1});
  request(Message(MessageKind::kTexture).put(uint64_t{0}));  // too short
  EXPECT_EQ(serve(requests_).finished, 0u);
}

TEST_F(DeviceProcessTest, IdleKernelsDoNothing) {
  make_requests();
  const auto downloaded = [&](const char* idle) {
    std::ofstream(CUSET_IDLE_FILE) << idle;
    EXPECT_EQ(serve(requests_).launches, 1u);
    std::ifstream file(CUSET_DOWNLOADS_FILE, std::ios::binary);
    float value = 0;
    file.ignore(8).read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  };
  EXPECT_EQ(downloaded("once\ntwice(float*)\n"), 6);
  EXPECT_EQ(downloaded("once\ntwice\n"), 3);
}

TEST_F(DeviceProcessTest, CutRequestsLeaveAnAccountThatIsNotFinished) {
  make_requests();
  for (size_t length = 0; length < requests_.size(); length += 7) {
    const CusetDeviceAccount account = serve(requests_.substr(0, length));
    EXPECT_LE(account.launches, 1u) << length;
  }
  EXPECT_EQ(serve(requests_.substr(0, requests_.size() - 1)).finished, 0u);
}

TEST_F(DeviceProcessTest, DamagedRequestsAreRefusedOrServed) {
  make_requests();
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = requests_;
    for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    serve(damaged);
  }
}

}  // namespace
}  // namespace cuset_emulator
