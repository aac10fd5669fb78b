#include "runtime/device_process/gpu_textures.h"

#include <cstring>

#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

using Address = GpuTextures::Driver::Address;

constexpr uint64_t kHandleBase = 0x7ADB'5C3E'91D7'0000;
constexpr uint64_t kHandleStep = 256;
constexpr uint64_t kLargestSide = 1 << 27;

// The driver's structures, by its documentation.
struct LinearResource {
  Address address;
  int format;
  unsigned channels;
  size_t bytes;
};
struct PitchedResource {
  Address address;
  int format;
  unsigned channels;
  size_t width, height, pitch;
};
struct ResourceDescription {
  int type = 0;  // as of cudaResourceType
  union {
    LinearResource linear;
    PitchedResource pitched;
    int reserved[32] = {};
  };
  unsigned flags = 0;
};
static_assert(sizeof(ResourceDescription) == 144);

struct TextureDescription {
  int address_mode[3] = {};
  int filter_mode = 0;
  unsigned flags = 0;
  unsigned most_anisotropy = 0;
  int mipmap_filter_mode = 0;
  float mipmap_bias = 0, least_level = 0, most_level = 0;
  float border_color[4] = {};
  int reserved[12] = {};
};
static_assert(sizeof(TextureDescription) == 104);

enum ResourceKind { kLinear = 2, kPitched = 3 };
enum TextureFlags { kReadsIntegers = 1, kNormalized = 2 };

void require(bool holds, const char* what) {
  if (!holds) throw ChannelBroken(what);
}

// CUarray_format of a channel; 0: there is none.
int format_of(uint32_t kind, uint32_t bits) {
  enum Kind { kSigned = 0, kUnsigned = 1, kFloat = 2 };
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
  if (size < 0) return 0;
  if (kind == kUnsigned) return 1 + size;
  if (kind == kSigned) return 8 + size;
  if (kind == kFloat && size > 0) return size == 1 ? 0x10 : 0x20;
  return 0;
}

bool is_channel_count(uint32_t channels) { return channels == 1 || channels == 2 || channels == 4; }

void check_texture(const CusetTexture& texture) {
  require(is_channel_count(texture.channels) && format_of(texture.channel_kind, texture.channel_bits) != 0 &&
              texture.texel_bytes == texture.channels * texture.channel_bits / 8 &&
              texture.width <= kLargestSide * 16 && texture.height <= kLargestSide,
          "texels that no device has");
  const bool is_pitched = texture.resource_kind == kPitched && texture.height > 0;
  require(is_pitched || texture.resource_kind == kLinear, "a texture of an unknown kind");
  require(!is_pitched || texture.row_pitch <= 16 * kLargestSide, "rows that no device has");
}

TextureDescription description_of(const CusetTexture& texture) {
  constexpr uint32_t kFloats = 2;
  TextureDescription description;
  for (int i = 0; i < 3; ++i) description.address_mode[i] = static_cast<int>(texture.address_mode[i]);
  description.filter_mode = static_cast<int>(texture.filter_mode);
  if (texture.read_mode == 0 && texture.channel_kind != kFloats) description.flags |= kReadsIntegers;
  if (texture.normalized_coordinates != 0) description.flags |= kNormalized;
  for (int i = 0; i < 4; ++i) description.border_color[i] = texture.border_color[i];
  return description;
}

}  // namespace

uint64_t TextureHandles::add(uint64_t real) {
  const uint64_t seen = kHandleBase + kHandleStep * ++next_;
  real_[seen] = real;
  return seen;
}

std::optional<uint64_t> TextureHandles::find(uint64_t seen) const {
  const auto found = real_.find(seen);
  return found == real_.end() ? std::nullopt : std::optional(found->second);
}

void TextureHandles::translate(std::span<char> bytes) const {
  if (real_.empty()) return;
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if (word < kHandleBase || word > kHandleBase + kHandleStep * next_) continue;
    if (const auto real = find(word)) std::memcpy(bytes.data() + at, &*real, 8);
  }
}

std::span<const char> TextureHandles::translated(std::span<const char> bytes,
                                                 std::vector<char>& changed) const {
  if (real_.empty()) return bytes;
  changed.assign(bytes.begin(), bytes.end());
  translate(changed);
  return changed;
}

GpuTextures::Result GpuTextures::create(const CusetTexture& texture, uint64_t& seen) {
  check_texture(texture);
  ResourceDescription resource;
  resource.type = static_cast<int>(texture.resource_kind);
  const auto address = reinterpret_cast<uint64_t>(texture.data);
  const int format = format_of(texture.channel_kind, texture.channel_bits);
  uint64_t bytes = texture.width * texture.texel_bytes;
  if (texture.resource_kind == kLinear) {
    resource.linear = {locate_(address, bytes), format, texture.channels, bytes};
  } else {
    bytes += texture.row_pitch * (texture.height - 1);
    resource.pitched = {locate_(address, bytes), format,         texture.channels,
                        texture.width,           texture.height, texture.row_pitch};
  }
  const TextureDescription description = description_of(texture);
  unsigned long long real = 0;
  const Result failed =
      driver_.ask("cuTexObjectCreate", &real, &resource, &description, static_cast<const void*>(nullptr));
  if (failed != 0) return failed;
  seen = handles_.add(real);
  bytes_[seen] = bytes;
  return 0;
}

void GpuTextures::destroy(uint64_t seen) {
  const std::optional<uint64_t> real = handles_.find(seen);
  require(real.has_value(), "a texture that is not there");
  driver_.call("cuTexObjectDestroy", static_cast<unsigned long long>(*real));
  bytes_.erase(seen);
  handles_.remove(seen);
}

uint64_t GpuTextures::bytes_of(uint64_t seen) const {
  const auto found = bytes_.find(seen);
  return found == bytes_.end() ? 0 : found->second;
}

bool GpuTextures::clear() {
  bool is_clean = true;
  for (const auto& [seen, real] : handles_.all())
    is_clean = driver_.ask("cuTexObjectDestroy", static_cast<unsigned long long>(real)) == 0 && is_clean;
  bytes_.clear(), handles_.clear();
  return is_clean;
}

}  // namespace cuset_emulator
