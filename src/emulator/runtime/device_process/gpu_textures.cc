#include "runtime/device_process/gpu_textures.h"

#include <cstring>

#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

using Address = GpuTextures::Driver::Address;
using Handle = GpuTextures::Driver::Handle;

constexpr uint64_t kHandleBase = 0x7ADB'5C3E'91D7'0000;
constexpr uint64_t kHandleStep = 256;
constexpr uint64_t kLargestSide = 1 << 27;
constexpr unsigned kKnownFlags = 1 | 2 | 8;  // layered, for surfaces, for gathering

enum MemoryType { kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3 };

// The driver's structures, by its documentation.
struct ArrayDescription {
  size_t width = 0, height = 0, depth = 0;
  int format = 0;
  unsigned channels = 0;
  unsigned flags = 0;
};
static_assert(sizeof(ArrayDescription) == 40);

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
    Handle array;
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

enum ResourceKind { kOfArray = 0, kLinear = 2, kPitched = 3 };
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

void check_array(const RemoteArray& array) {
  require(array.width > 0 && array.width <= kLargestSide && array.height <= kLargestSide &&
              array.depth <= kLargestSide && is_channel_count(array.channels) &&
              format_of(array.channel_kind, array.channel_bits) != 0 && (array.flags & ~kKnownFlags) == 0,
          "an array that no device has");
  require(array.row_pitch >= array.row_bytes() && array.row_pitch <= 16 * kLargestSide + 512 &&
              array.slice_pitch / array.row_pitch == array.rows() &&
              array.slice_pitch % array.row_pitch == 0 && array.slice_pitch <= (1ull << 62) / array.slices(),
          "an array whose rows overlap");
}

void check_object(const CusetTexture& object) {
  require(is_channel_count(object.channels) && format_of(object.channel_kind, object.channel_bits) != 0 &&
              object.texel_bytes == object.channels * object.channel_bits / 8 &&
              object.width <= kLargestSide * 16 && object.height <= kLargestSide,
          "texels that no device has");
}

TextureDescription texture_of(const CusetTexture& object) {
  constexpr uint32_t kFloats = 2;
  TextureDescription texture;
  for (int i = 0; i < 3; ++i) texture.address_mode[i] = static_cast<int>(object.address_mode[i]);
  texture.filter_mode = static_cast<int>(object.filter_mode);
  if (object.read_mode == 0 && object.channel_kind != kFloats) texture.flags |= kReadsIntegers;
  if (object.normalized_coordinates != 0) texture.flags |= kNormalized;
  for (int i = 0; i < 4; ++i) texture.border_color[i] = object.border_color[i];
  return texture;
}

}  // namespace

// One half of the driver's description of a copy.
struct GpuTextures::Side {
  size_t x = 0, y = 0, z = 0, level = 0;
  int type = 0;
  int unused = 0;
  const void* host = nullptr;
  Address device = 0;
  Handle array = nullptr;
  void* reserved = nullptr;
  size_t pitch = 0, height = 0;
};

TexelPlace place_in_array(const RemoteArray& array, const Surface& surface, const Box& box) {
  const uint64_t offset = surface.address - array.address;
  const TexelPlace place{offset % array.row_pitch, offset % array.slice_pitch / array.row_pitch,
                         offset / array.slice_pitch};
  const auto fits = [](uint64_t begin, uint64_t size, uint64_t limit) {
    return begin <= limit && size <= limit - begin;
  };
  require(surface.address >= array.address && fits(place.x, box.width, array.row_bytes()) &&
              fits(place.y, box.height, array.rows()) && fits(place.z, box.depth, array.slices()),
          "bytes outside of an array");
  require((box.height == 1 || surface.pitch == array.row_pitch) &&
              (box.depth == 1 || surface.slice == array.slice_pitch),
          "other rows than those of an array");
  return place;
}

uint64_t ObjectHandles::add(uint64_t real) {
  const uint64_t seen = kHandleBase + kHandleStep * ++next_;
  real_[seen] = real;
  return seen;
}

std::optional<uint64_t> ObjectHandles::find(uint64_t seen) const {
  const auto found = real_.find(seen);
  return found == real_.end() ? std::nullopt : std::optional(found->second);
}

void ObjectHandles::translate(std::span<char> bytes) const {
  if (real_.empty()) return;
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if (word < kHandleBase || word > kHandleBase + kHandleStep * next_) continue;
    if (const auto real = find(word)) std::memcpy(bytes.data() + at, &*real, 8);
  }
}

std::span<const char> ObjectHandles::translated(std::span<const char> bytes,
                                                std::vector<char>& changed) const {
  if (real_.empty()) return bytes;
  changed.assign(bytes.begin(), bytes.end());
  translate(changed);
  return changed;
}

const GpuTextures::Array* GpuTextures::find(uint64_t address) const {
  const auto after = arrays_.upper_bound(address);
  if (after == arrays_.begin()) return nullptr;
  const Array& array = std::prev(after)->second;
  return address - array.layout.address < array.layout.bytes() ? &array : nullptr;
}

GpuTextures::Result GpuTextures::create_array(const RemoteArray& array) {
  check_array(array);
  const Address memory = locate_(array.address, array.bytes());
  require(!holds(array.address), "an array in the place of another");
  const ArrayDescription description{array.width,    array.height,
                                     array.depth,    format_of(array.channel_kind, array.channel_bits),
                                     array.channels, array.flags};
  Array made{array};
  if (const Result failed = driver_.ask("cuArray3DCreate_v2", &made.handle, &description); failed != 0)
    return failed;
  arrays_[array.address] = made;
  const Box box{array.row_bytes(), array.rows(), array.slices()};
  const Surface surface{array.address, array.row_pitch, array.slice_pitch};
  copy_slices([&](uint64_t slice) { return side_of(surface, box, slice); },
              [&](uint64_t slice) {
                return Side{.type = kDeviceMemory,
                            .device = memory + slice * array.slice_pitch,
                            .pitch = array.row_pitch,
                            .height = array.rows()};
              },
              box);
  return 0;
}

void GpuTextures::free_array(uint64_t address) {
  const auto found = arrays_.find(address);
  if (found == arrays_.end()) return;
  driver_.call("cuArrayDestroy", found->second.handle);
  arrays_.erase(found);
}

// A slice of a box in an array or in plain memory.
GpuTextures::Side GpuTextures::side_of(const Surface& surface, const Box& box, uint64_t slice) const {
  if (const Array* array = find(surface.address)) {
    const TexelPlace place = place_in_array(array->layout, surface, box);
    return {.x = place.x, .y = place.y, .z = place.z + slice, .type = kArrayMemory, .array = array->handle};
  }
  const uint64_t begin = row_address(surface, 0, slice), end = row_address(surface, box.height - 1, slice);
  require(end >= begin && (box.height == 1 || surface.pitch >= box.width), "rows that overlap");
  return {.type = kDeviceMemory,
          .device = locate_(begin, end - begin + box.width),
          .pitch = box.height == 1 ? box.width : surface.pitch,
          .height = box.height};
}

void GpuTextures::copy_slices(const std::function<Side(uint64_t)>& to,
                              const std::function<Side(uint64_t)>& from, const Box& box) {
  struct Copy {
    Side from, to;
    size_t width, height, depth;
  };
  static_assert(sizeof(Copy) == 200);
  if (box.bytes() == 0) return;
  for (uint64_t slice = 0; slice < box.depth; ++slice) {
    const Copy copy{from(slice), to(slice), box.width, box.height, 1};
    driver_.call("cuMemcpy3D_v2", &copy);
  }
  driver_.call("cuCtxSynchronize");
}

namespace {

// Where a slice of packed bytes begins.
size_t slice_offset(const Box& box, uint64_t slice) { return slice * box.width * box.height; }

}  // namespace

void GpuTextures::write(const Surface& to, std::span<const char> packed_bytes, const Box& box) {
  copy_slices([&](uint64_t slice) { return side_of(to, box, slice); },
              [&](uint64_t slice) {
                return Side{.type = kHostMemory,
                            .host = packed_bytes.data() + slice_offset(box, slice),
                            .pitch = box.width,
                            .height = box.height};
              },
              box);
}

void GpuTextures::read(std::span<char> packed_bytes, const Surface& from, const Box& box) {
  copy_slices(
      [&](uint64_t slice) {
        return Side{.type = kHostMemory,
                    .host = packed_bytes.data() + slice_offset(box, slice),
                    .pitch = box.width,
                    .height = box.height};
      },
      [&](uint64_t slice) { return side_of(from, box, slice); }, box);
}

void GpuTextures::copy(const Surface& to, const Surface& from, const Box& box) {
  copy_slices([&](uint64_t slice) { return side_of(to, box, slice); },
              [&](uint64_t slice) { return side_of(from, box, slice); }, box);
}

GpuTextures::Result GpuTextures::create_object(const CusetTexture& object, bool is_surface, uint64_t& seen) {
  check_object(object);
  ResourceDescription resource;
  resource.type = static_cast<int>(object.resource_kind);
  const auto address = reinterpret_cast<uint64_t>(object.data);
  const int format = format_of(object.channel_kind, object.channel_bits);
  Object made{is_surface, object.width * object.texel_bytes};
  if (object.resource_kind == kOfArray) {
    const auto array = arrays_.find(address);
    require(array != arrays_.end(), "an object of an array that is not there");
    resource.array = array->second.handle;
    made.bytes =
        array->second.layout.row_bytes() * array->second.layout.rows() * array->second.layout.slices();
  } else if (object.resource_kind == kLinear && !is_surface) {
    resource.linear = {locate_(address, made.bytes), format, object.channels, made.bytes};
  } else if (object.resource_kind == kPitched && !is_surface && object.height > 0) {
    made.bytes += object.row_pitch * (object.height - 1);
    require(object.row_pitch <= 16 * kLargestSide, "rows that no device has");
    resource.pitched = {
        locate_(address, made.bytes), format, object.channels, object.width, object.height, object.row_pitch};
  } else {
    throw ChannelBroken("an object of an unknown kind");
  }
  const TextureDescription texture = texture_of(object);
  unsigned long long real = 0;
  const Result failed = is_surface ? driver_.ask("cuSurfObjectCreate", &real, &resource)
                                   : driver_.ask("cuTexObjectCreate", &real, &resource, &texture,
                                                 static_cast<const void*>(nullptr));
  if (failed != 0) return failed;
  seen = handles_.add(real);
  objects_[seen] = made;
  return 0;
}

bool GpuTextures::destroy(uint64_t seen, bool is_surface) const {
  const unsigned long long real = handles_.find(seen).value_or(0);
  return driver_.ask(is_surface ? "cuSurfObjectDestroy" : "cuTexObjectDestroy", real) == 0;
}

void GpuTextures::destroy_object(uint64_t seen) {
  const auto found = objects_.find(seen);
  require(found != objects_.end(), "an object that is not there");
  require(destroy(seen, found->second.is_surface), "an object that cannot be destroyed");
  objects_.erase(found);
  handles_.remove(seen);
}

uint64_t GpuTextures::bytes_of_object(uint64_t seen) const {
  const auto found = objects_.find(seen);
  return found == objects_.end() ? 0 : found->second.bytes;
}

bool GpuTextures::clear() {
  bool is_clean = true;
  for (const auto& [seen, object] : objects_) is_clean = destroy(seen, object.is_surface) && is_clean;
  for (const auto& [address, array] : arrays_)
    is_clean = driver_.ask("cuArrayDestroy", array.handle) == 0 && is_clean;
  objects_.clear(), arrays_.clear(), handles_.clear();
  return is_clean;
}

}  // namespace cuset_emulator
