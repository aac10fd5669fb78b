#include "model/files/safetensors_header.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::model {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are read and written in place");

// As in the reference implementation.
constexpr uint64_t kLongestHeader = 100'000'000;
constexpr size_t kMostDimensions = 64;
constexpr size_t kLengthBytes = sizeof(uint64_t);
constexpr size_t kHeaderAlignment = 8;
constexpr std::string_view kMetadataKey = "__metadata__";
constexpr const char* kDownloadAgain = "download it again";
constexpr size_t kLongestName = 200;

struct KnownType {
  std::string_view name;
  torch::ScalarType type;
};

constexpr std::array<KnownType, 10> kTypes = {
    KnownType{"F32", torch::kFloat32}, KnownType{"BF16", torch::kBFloat16}, KnownType{"F16", torch::kFloat16},
    KnownType{"F64", torch::kFloat64}, KnownType{"I64", torch::kInt64},     KnownType{"I32", torch::kInt32},
    KnownType{"I16", torch::kInt16},   KnownType{"I8", torch::kInt8},       KnownType{"U8", torch::kUInt8},
    KnownType{"BOOL", torch::kBool}};

// Turns the parser's events into tensors. Its state is the place in the fixed structure that a header has.
class HeaderParser final : public nlohmann::json_sax<base::Json> {
 public:
  explicit HeaderParser(std::string_view file) : file_(file) {}

  SafetensorsHeader take() { return std::move(header_); }

  bool null() override { refuse_value("null"); }
  bool boolean(bool) override { refuse_value("a truth value"); }
  bool number_integer(number_integer_t) override { refuse_value("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { refuse_value("a fraction"); }
  bool binary(binary_t&) override { return false; }  // exists in binary formats only
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t& value) override;
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string&, const base::Json::exception&) override {
    throw base::Error("{}: the header is not valid JSON at byte {}", file_, kLengthBytes + position)
        .with_remedy(kDownloadAgain);
  }

 private:
  enum class Place { kOutside, kTop, kTensor, kShape, kOffsets, kMetadata };

  struct Draft {
    std::string name;
    std::optional<torch::ScalarType> type;
    std::optional<std::vector<uint64_t>> shape;
    std::optional<std::vector<uint64_t>> offsets;
  };

  void finish_tensor();
  [[noreturn]] void refuse_value(std::string_view found) const;
  [[noreturn]] void refuse_tensor(std::string_view reason) const {
    throw base::Error("{}: tensor {}: {}", file_, base::in_quotes(draft_.name, kLongestName), reason);
  }

  std::string_view file_;
  SafetensorsHeader header_;
  Place place_ = Place::kOutside;
  std::string key_;  // of the value to come
  Draft draft_;
};

bool HeaderParser::key(string_t& name) {
  key_ = std::move(name);
  if (place_ == Place::kTop && key_ != kMetadataKey)
    draft_ = Draft{.name = key_, .type = {}, .shape = {}, .offsets = {}};
  return true;
}

bool HeaderParser::start_object(std::size_t) {
  if (place_ == Place::kOutside) {
    place_ = Place::kTop;
  } else if (place_ == Place::kTop) {
    place_ = key_ == kMetadataKey ? Place::kMetadata : Place::kTensor;
  } else {
    refuse_value("an object");
  }
  return true;
}

bool HeaderParser::end_object() {
  if (place_ == Place::kTensor) finish_tensor();
  place_ = place_ == Place::kTop ? Place::kOutside : Place::kTop;
  return true;
}

bool HeaderParser::start_array(std::size_t) {
  const bool is_shape = key_ == "shape";
  if (place_ != Place::kTensor || (!is_shape && key_ != "data_offsets")) refuse_value("a list");
  auto& list = is_shape ? draft_.shape : draft_.offsets;
  if (list) refuse_tensor(fmt::format("{} appears twice", key_));
  list.emplace();
  place_ = is_shape ? Place::kShape : Place::kOffsets;
  return true;
}

bool HeaderParser::end_array() {
  if (place_ == Place::kOffsets && draft_.offsets->size() != 2)
    refuse_tensor("data_offsets must be two numbers");
  place_ = Place::kTensor;
  return true;
}

bool HeaderParser::number_unsigned(number_unsigned_t value) {
  if (place_ == Place::kShape) {
    if (draft_.shape->size() == kMostDimensions) {
      refuse_tensor(fmt::format("the shape has more than {} dimensions", kMostDimensions));
    }
    draft_.shape->push_back(value);
  } else if (place_ == Place::kOffsets) {
    if (draft_.offsets->size() == 2) refuse_tensor("data_offsets must be two numbers");
    draft_.offsets->push_back(value);
  } else {
    refuse_value("a number");
  }
  return true;
}

bool HeaderParser::string(string_t& value) {
  if (place_ == Place::kMetadata) {
    header_.metadata.emplace_back(key_, std::move(value));
    return true;
  }
  if (place_ != Place::kTensor || key_ != "dtype") refuse_value("a string");
  if (draft_.type) refuse_tensor("dtype appears twice");
  const auto known =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const KnownType& type) { return type.name == value; });
  if (known == kTypes.end()) {
    std::vector<std::string_view> names;
    for (const KnownType& type : kTypes) names.push_back(type.name);
    throw base::Error("{}: tensor {}: the type {} is not supported", file_,
                      base::in_quotes(draft_.name, kLongestName), base::in_quotes(value))
        .with_remedy("supported are {}", fmt::join(names, ", "));
  }
  draft_.type = known->type;
  return true;
}

// The bytes that type and shape ask for, or nothing where they do not fit into 63 bits.
std::optional<uint64_t> bytes_of(torch::ScalarType type, const std::vector<uint64_t>& shape) {
  uint64_t bytes = torch::elementSize(type);
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) bytes = 0;
  for (const uint64_t size : shape) {
    if (size > INT64_MAX || __builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes <= INT64_MAX ? std::optional(bytes) : std::nullopt;
}

void HeaderParser::finish_tensor() {
  const auto require = [&](bool is_there, const char* key) {
    if (!is_there) refuse_tensor(fmt::format("{} is missing", key));
  };
  require(draft_.type.has_value(), "dtype");
  require(draft_.shape.has_value(), "shape");
  require(draft_.offsets.has_value(), "data_offsets");
  const std::vector<int64_t> shape(draft_.shape->begin(), draft_.shape->end());
  const uint64_t begin = draft_.offsets->at(0);
  const uint64_t end = draft_.offsets->at(1);
  const std::optional<uint64_t> wanted = bytes_of(*draft_.type, *draft_.shape);
  if (!wanted) refuse_tensor("the shape is too large");
  if (begin > end) refuse_tensor(fmt::format("data_offsets {} and {} run backwards", begin, end));
  if (end - begin != *wanted) {
    refuse_tensor(fmt::format("data_offsets give {} bytes, but the shape {} needs {}", end - begin,
                              shown_shape(shape), *wanted));
  }
  header_.tensors.push_back({std::move(draft_.name), *draft_.type, shape, begin, end});
}

void HeaderParser::refuse_value(std::string_view found) const {
  if (place_ == Place::kOutside)
    throw base::Error("{}: the header must be a JSON object, not {}", file_, found);
  if (place_ == Place::kTop)
    throw base::Error("{}: header entry {} is {}", file_, base::in_quotes(key_, kLongestName), found);
  if (place_ == Place::kMetadata) {
    throw base::Error("{}: metadata {} must be a string, not {}", file_, base::in_quotes(key_, kLongestName),
                      found);
  }
  const bool is_known = key_ == "dtype" || key_ == "shape" || key_ == "data_offsets";
  if (!is_known) refuse_tensor(fmt::format("unknown key {}", base::in_quotes(key_)));
  refuse_tensor(fmt::format("{} must not hold {}", key_, found));
}

void refuse_repeated_names(const std::vector<StoredTensor>& tensors, std::string_view file) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const StoredTensor& tensor : tensors) names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw base::Error("{}: tensor {} appears twice", file, base::in_quotes(*twice, kLongestName));
}

// Sorts by place and refuses holes and overlap. Returns the bytes that all tensors take.
uint64_t check_cover(std::vector<StoredTensor>& tensors, std::string_view file) {
  std::stable_sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t covered = 0;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.begin != covered) {
      throw base::Error("{}: tensor {} begins at byte {} of the buffer, {} byte {}", file,
                        base::in_quotes(tensor.name, kLongestName), tensor.begin,
                        tensor.begin < covered ? "inside the one before, which ends at" : "after a hole from",
                        covered);
    }
    covered = tensor.end;
  }
  return covered;
}

std::string_view header_text(std::string_view bytes, std::string_view file) {
  if (bytes.size() < kLengthBytes) {
    throw base::Error("{}: truncated: the file has {} bytes, too few for a safetensors file", file,
                      bytes.size())
        .with_remedy(kDownloadAgain);
  }
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (bytes.starts_with("version https://git-lfs")) {
    throw base::Error("{}: this is a Git LFS pointer, not the weights", file)
        .with_remedy("git lfs pull fetches them");
  }
  if (length > kLongestHeader) {
    throw base::Error("{}: not a safetensors file: the header would be {} bytes long, at most {} are allowed",
                      file, length, kLongestHeader)
        .with_remedy(kDownloadAgain);
  }
  bytes.remove_prefix(kLengthBytes);
  if (length > bytes.size()) {
    throw base::Error("{}: truncated: the header has {} bytes, the file only {} more", file, length,
                      bytes.size())
        .with_remedy(kDownloadAgain);
  }
  const std::string_view text = bytes.substr(0, length);
  if (!text.starts_with('{')) {
    throw base::Error("{}: not a safetensors file: the header does not begin with '{{'", file)
        .with_remedy(kDownloadAgain);
  }
  return text;
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::span<const std::byte> bytes, std::string_view file) {
  const std::string_view text =
      header_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
  HeaderParser parser(file);
  const bool complete = base::Json::sax_parse(text, &parser);
  CUSET_CHECK(complete, "the parser stopped without a reason");
  SafetensorsHeader header = parser.take();
  header.buffer_begin = kLengthBytes + text.size();
  refuse_repeated_names(header.tensors, file);
  const uint64_t promised = check_cover(header.tensors, file);
  const uint64_t present = bytes.size() - header.buffer_begin;
  if (promised > present) {
    throw base::Error("{}: truncated: the header promises {} bytes, the file has {}", file,
                      header.buffer_begin + promised, bytes.size())
        .with_remedy(kDownloadAgain);
  }
  if (promised < present) {
    throw base::Error("{}: {} bytes follow the last tensor", file, present - promised)
        .with_remedy(kDownloadAgain);
  }
  return header;
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
  base::Json root = base::Json::object();
  auto& entries = root.get_ref<base::Json::object_t&>();
  base::Json metadata = base::Json::object();
  for (const auto& [key, value] : header.metadata) metadata[key] = value;
  entries.emplace_back(kMetadataKey, std::move(metadata));
  for (const StoredTensor& tensor : header.tensors) {
    const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const KnownType& known) { return known.type == tensor.type; });
    CUSET_CHECK(type != kTypes.end(), "{} has the type {}", tensor.name, torch::toString(tensor.type));
    entries.emplace_back(tensor.name, base::Json{{"dtype", type->name},
                                                 {"shape", tensor.shape},
                                                 {"data_offsets", {tensor.begin, tensor.end}}});
  }
  std::string text = base::to_json_line(root);
  text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  const uint64_t length = text.size();
  std::string out(kLengthBytes, '\0');
  std::memcpy(out.data(), &length, kLengthBytes);
  return out + text;
}

std::string shown_shape(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace cuset::model
