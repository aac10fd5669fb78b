#include "tasks/array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "tasks/small_float.h"

namespace cuset::tasks {
namespace {

constexpr double kTwoTo53 = 0x1p53;

struct TypeFacts {
  NumberType type;
  std::string_view name;
  size_t bytes;
  double largest_exact_whole;
};

constexpr std::array kTypes = {
    TypeFacts{NumberType::kFloat64, "float64", 8, kTwoTo53},
    TypeFacts{NumberType::kFloat32, "float32", 4, 0x1p24},
    TypeFacts{NumberType::kFloat16, "float16", 2, 0x1p11},
    TypeFacts{NumberType::kBfloat16, "bfloat16", 2, 0x1p8},
    TypeFacts{NumberType::kInt64, "int64", 8, kTwoTo53},
    TypeFacts{NumberType::kInt32, "int32", 4, 0x1p31 - 1},
    TypeFacts{NumberType::kInt16, "int16", 2, 0x1p15 - 1},
    TypeFacts{NumberType::kInt8, "int8", 1, 0x1p7 - 1},
    TypeFacts{NumberType::kUint64, "uint64", 8, kTwoTo53},
    TypeFacts{NumberType::kUint32, "uint32", 4, 0x1p32 - 1},
    TypeFacts{NumberType::kUint16, "uint16", 2, 0x1p16 - 1},
    TypeFacts{NumberType::kUint8, "uint8", 1, 0x1p8 - 1},
    TypeFacts{NumberType::kBool, "bool", 1, 1},
};

const TypeFacts& facts_of(NumberType type) {
  const TypeFacts& facts = kTypes[static_cast<size_t>(type)];
  CUSET_CHECK(facts.type == type, "the table of number types is out of order at {}", facts.name);
  return facts;
}

struct Bool {
  uint8_t byte;
};

// How a number of each type is widened and narrowed.
template <typename T>
struct Conversion {
  static double widen(T number) { return static_cast<double>(number); }
  static T narrow(double value) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(value);
    } else {
      // The double nearest to the largest 64-bit number is one beyond it: hence >=.
      if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
      if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
      return std::isnan(value) ? T{0} : static_cast<T>(std::nearbyint(value));
    }
  }
};

template <int E, int M>
struct Conversion<SmallFloat<E, M>> {
  static double widen(SmallFloat<E, M> number) { return number.to_double(); }
  static SmallFloat<E, M> narrow(double value) { return SmallFloat<E, M>::from(value); }
};

template <>
struct Conversion<Bool> {
  static double widen(Bool number) { return number.byte != 0 ? 1 : 0; }
  static Bool narrow(double value) { return {static_cast<uint8_t>(value != 0)}; }
};

// Calls `action` with a null pointer to the C++ type that holds numbers of `type`.
template <typename Action>
void with_type(NumberType type, Action action) {
  switch (type) {
    case NumberType::kFloat64:
      return action(static_cast<double*>(nullptr));
    case NumberType::kFloat32:
      return action(static_cast<float*>(nullptr));
    case NumberType::kFloat16:
      return action(static_cast<Float16*>(nullptr));
    case NumberType::kBfloat16:
      return action(static_cast<Bfloat16*>(nullptr));
    case NumberType::kInt64:
      return action(static_cast<int64_t*>(nullptr));
    case NumberType::kInt32:
      return action(static_cast<int32_t*>(nullptr));
    case NumberType::kInt16:
      return action(static_cast<int16_t*>(nullptr));
    case NumberType::kInt8:
      return action(static_cast<int8_t*>(nullptr));
    case NumberType::kUint64:
      return action(static_cast<uint64_t*>(nullptr));
    case NumberType::kUint32:
      return action(static_cast<uint32_t*>(nullptr));
    case NumberType::kUint16:
      return action(static_cast<uint16_t*>(nullptr));
    case NumberType::kUint8:
      return action(static_cast<uint8_t*>(nullptr));
    case NumberType::kBool:
      return action(static_cast<Bool*>(nullptr));
  }
}

template <typename T>
void widen_all(const std::byte* from, std::span<double> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    T number;
    std::memcpy(&number, from + i * sizeof(T), sizeof(T));
    values[i] = Conversion<T>::widen(number);
  }
}

template <typename T>
void narrow_all(std::span<const double> values, std::byte* to) {
  for (size_t i = 0; i < values.size(); ++i) {
    const T number = Conversion<T>::narrow(values[i]);
    std::memcpy(to + i * sizeof(T), &number, sizeof(T));
  }
}

void check_range(const Array& array, uint64_t first, uint64_t size) {
  CUSET_CHECK(first <= array.count() && size <= array.count() - first, "{} numbers from {} on, of {}", size,
              first, array.count());
}

// Without the sign, numbers of these formats are ordered like their bits.
template <typename Small>
double small_neighbor(double value, bool up) {
  Small number = Small::from(value);
  if (value == 0) {
    number.bits = up ? 0x0001 : 0x8001;
  } else {
    number.bits = static_cast<uint16_t>(number.bits + ((value > 0) == up ? 1 : -1));
  }
  return number.to_double();
}

// The next number of a floating type; `value` is one of its numbers.
double neighbor(NumberType type, double value, bool up) {
  const double end = up ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  switch (type) {
    case NumberType::kFloat32:
      return std::nextafter(static_cast<float>(value), static_cast<float>(end));
    case NumberType::kFloat16:
      return small_neighbor<Float16>(value, up);
    case NumberType::kBfloat16:
      return small_neighbor<Bfloat16>(value, up);
    default:
      return std::nextafter(value, end);
  }
}

}  // namespace

size_t bytes_of(NumberType type) { return facts_of(type).bytes; }
double largest_exact_whole(NumberType type) { return facts_of(type).largest_exact_whole; }
std::string_view name_of(NumberType type) { return facts_of(type).name; }

bool is_floating(NumberType type) {
  return type == NumberType::kFloat64 || type == NumberType::kFloat32 || type == NumberType::kFloat16 ||
         type == NumberType::kBfloat16;
}

std::optional<NumberType> number_type_named(std::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return std::nullopt;
}

uint64_t count_of(const Shape& shape) {
  constexpr uint64_t kMost = uint64_t{1} << 48;
  bool empty = false;
  for (const int64_t side : shape) {
    if (side < 0) throw base::Error("the shape {} has a negative side", text_of(shape));
    empty = empty || side == 0;
  }
  if (empty) return 0;
  uint64_t count = 1;
  for (const int64_t side : shape) {
    if (static_cast<uint64_t>(side) > kMost / count)
      throw base::Error("the shape {} is too large", text_of(shape));
    count *= static_cast<uint64_t>(side);
  }
  return count;
}

std::string text_of(const Shape& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ", "));
}

Array Array::zeros(NumberType type, Shape shape) {
  const uint64_t count = count_of(shape);
  return {type, std::move(shape), std::vector<std::byte>(count * bytes_of(type))};
}

double Array::at(uint64_t index) const {
  double value = 0;
  read(index, {&value, 1});
  return value;
}

void Array::set(uint64_t index, double value) { write(index, {&value, 1}); }

void Array::read(uint64_t first, std::span<double> values) const {
  check_range(*this, first, values.size());
  const std::byte* from = bytes.data() + first * bytes_of(type);
  with_type(type, [&](auto* kind) { widen_all<std::remove_pointer_t<decltype(kind)>>(from, values); });
}

void Array::write(uint64_t first, std::span<const double> values) {
  check_range(*this, first, values.size());
  std::byte* to = bytes.data() + first * bytes_of(type);
  with_type(type, [&](auto* kind) { narrow_all<std::remove_pointer_t<decltype(kind)>>(values, to); });
}

std::vector<double> Array::to_doubles() const {
  std::vector<double> values(count());
  read(0, values);
  return values;
}

Array Array::from_doubles(NumberType type, Shape shape, const std::vector<double>& values) {
  Array array = zeros(type, std::move(shape));
  CUSET_CHECK(values.size() == array.count(), "{} values for the shape {}", values.size(),
              text_of(array.shape));
  array.write(0, values);
  return array;
}

uint64_t bytes_of(const std::vector<Array>& arrays) {
  uint64_t bytes = 0;
  for (const Array& array : arrays) bytes += array.bytes.size();
  return bytes;
}

NumberRange numbers_within(NumberType type, double low, double high) {
  NumberRange range{std::ceil(low), std::ceil(high) - 1};
  if (is_floating(type)) {
    range.least = Array::from_doubles(type, {}, {low}).at(0);
    if (range.least < low) range.least = neighbor(type, range.least, true);
    range.most = Array::from_doubles(type, {}, {high}).at(0);
    if (range.most >= high) range.most = neighbor(type, range.most, false);
  }
  if (!(range.least <= range.most)) {
    throw base::Error("no {} lies in {} <= x < {}", name_of(type), low, high).with_remedy("widen the domain");
  }
  return range;
}

NumberRange finite_numbers(NumberType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (type == NumberType::kFloat32) {
    return {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
  }
  return {neighbor(type, -infinity, true), neighbor(type, infinity, false)};
}

double least_positive(NumberType type) { return neighbor(type, 0, true); }

}  // namespace cuset::tasks
