#include "verify/tasks/script/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

constexpr double kExact = 0x1p53;
constexpr size_t kMostAxes = 16;

// The nearest number with `digits` binary digits and exponents no smaller than `lowest`; halves go to even.
double to_short_float(double x, int digits, int lowest, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, lowest) - digits);
  const double result = std::nearbyint(x / unit) * unit;
  return std::abs(result) > largest ? std::copysign(INFINITY, x) : result;
}

double to_whole(double x, int bits, bool is_signed) {
  if (!(std::abs(x) <= kExact)) throw Failure("a whole number beyond 2^53 in an array");
  const auto whole = static_cast<int64_t>(x);
  if (bits == 64) return static_cast<double>(whole);
  const uint64_t low = static_cast<uint64_t>(whole) & ((uint64_t{1} << bits) - 1);
  if (is_signed && (low >> (bits - 1)) != 0) return static_cast<double>(low) - std::ldexp(1.0, bits);
  return static_cast<double>(low);
}

template <typename Convert>
void convert_all(std::span<double> numbers, const Convert& convert) {
  for (double& number : numbers) number = convert(number);
}

bool overlap(const Numbers& a, const Numbers& b) { return a.buffer == b.buffer; }

}  // namespace

int64_t product(const Shape& shape) {
  if (shape.size() > kMostAxes) throw Failure("an array with more than {} axes", kMostAxes);
  int64_t count = 1;
  bool empty = false;
  for (const int64_t side : shape) {
    if (side < 0) throw Failure("an array with a negative side");
    empty = empty || side == 0;
    if (side > 0 && count > (int64_t{1} << 40) / side)
      throw OutOfBudget("an array of more than 2^40 numbers");
    count *= std::max<int64_t>(side, 1);
  }
  return empty ? 0 : count;
}

int64_t Numbers::count() const {
  int64_t result = 1;
  for (const int64_t side : shape) result *= side;
  return result;
}

bool Numbers::contiguous() const {
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

Likeness like(const Numbers& numbers) { return {numbers.budget(), numbers.type, numbers.torch}; }

Numbers new_numbers(const Shape& shape, const Likeness& likeness) {
  const int64_t count = product(shape);
  return {.buffer = std::make_shared<Buffer>(likeness.budget, static_cast<uint64_t>(count)),
          .offset = 0,
          .shape = shape,
          .strides = strides_of(shape),
          .type = likeness.type,
          .torch = likeness.torch};
}

Numbers filled(const Shape& shape, const Likeness& likeness, double value) {
  Numbers result = new_numbers(shape, likeness);
  std::fill_n(result.data(), result.count(), rounded_to(likeness.type, value));
  return result;
}

Numbers constant_numbers(const Shape& shape, const Likeness& likeness, double value) {
  product(shape);
  Numbers result = filled({1}, likeness, value);
  result.buffer->constant = true;
  result.shape = shape;
  result.strides.assign(shape.size(), 0);
  return result;
}

void round_to(NumberType type, std::span<double> numbers) {
  switch (type) {
    case NumberType::kFloat64:
      return;
    case NumberType::kFloat32:
      return convert_all(numbers, [](double x) { return static_cast<double>(static_cast<float>(x)); });
    case NumberType::kFloat16:
      return convert_all(numbers, [](double x) { return to_short_float(x, 11, -13, 65504); });
    case NumberType::kBfloat16:
      return convert_all(numbers, [](double x) { return to_short_float(x, 8, -125, 0x1.fep127); });
    case NumberType::kBool:
      return convert_all(numbers, [](double x) { return x != 0 ? 1.0 : 0.0; });
    case NumberType::kUint64:
      return convert_all(numbers, [](double x) {
        if (x < 0) throw Failure("a negative number in an array of uint64");
        return to_whole(x, 64, false);
      });
    default:
      break;
  }
  const int bits = static_cast<int>(8 * bytes_of(type));
  const bool is_signed = type == NumberType::kInt8 || type == NumberType::kInt16 ||
                         type == NumberType::kInt32 || type == NumberType::kInt64;
  convert_all(numbers, [=](double x) { return to_whole(x, bits, is_signed); });
}

double rounded_to(NumberType type, double number) {
  round_to(type, {&number, 1});
  return number;
}

Numbers converted(const Numbers& numbers, NumberType type) {
  if (is_constant(numbers))
    return constant_numbers(numbers.shape, {numbers.budget(), type, numbers.torch}, *numbers.data());
  Numbers result = new_numbers(numbers.shape, {numbers.budget(), type, numbers.torch});
  assign(result, numbers);
  return result;
}

Numbers copied(const Numbers& numbers) { return converted(numbers, numbers.type); }

Numbers packed(const Numbers& numbers) { return numbers.contiguous() ? numbers : copied(numbers); }

void assign(const Numbers& target, const Numbers& source) {
  if (is_constant(target)) throw Failure("an array from a file is changed");
  if (overlap(target, source) && &target != &source) {
    Numbers apart = new_numbers(source.shape, like(source));
    assign(apart, source);
    return assign(target, apart);
  }
  const Numbers wide = broadcast_to(source, target.shape);
  const bool round = target.type != source.type;
  double* const to = target.buffer->data();
  const double* const from = wide.buffer->data();
  for_each_row<2>({&target, &wide}, [&](const auto& offsets, int64_t count, const auto& steps) {
    double* out = to + offsets[0];
    const double* in = from + offsets[1];
    if (steps[0] == 1 && steps[1] == 1) {
      std::memcpy(out, in, static_cast<size_t>(count) * sizeof(double));
      if (round) round_to(target.type, {out, static_cast<size_t>(count)});
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      out[i * steps[0]] = round ? rounded_to(target.type, in[i * steps[1]]) : in[i * steps[1]];
  });
}

Numbers reshaped(const Numbers& numbers, Shape shape) {
  const auto open = std::find(shape.begin(), shape.end(), -1);
  if (open != shape.end()) {
    *open = 1;
    const int64_t others = product(shape);
    *open = others == 0 ? 0 : numbers.count() / others;
  }
  if (product(shape) != numbers.count())
    throw Failure("cannot reshape an array of shape {} into {}", text_of(numbers.shape), text_of(shape));
  if (is_constant(numbers)) return constant_numbers(shape, like(numbers), *numbers.data());
  Numbers result = packed(numbers);
  result.strides = strides_of(shape);
  result.shape = std::move(shape);
  return result;
}

int64_t axis_of(int64_t axis, int64_t rank) {
  const int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank) throw Failure("axis {} of an array with {} axes", axis, rank);
  return counted;
}

Numbers permuted(const Numbers& numbers, const std::vector<int64_t>& axes) {
  if (static_cast<int64_t>(axes.size()) != numbers.rank()) throw Failure("axes that do not match the array");
  Numbers result = numbers;
  std::vector<bool> used(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axis_of(axes[i], numbers.rank());
    if (used[static_cast<size_t>(axis)]) throw Failure("an axis that is named twice");
    used[static_cast<size_t>(axis)] = true;
    result.shape[i] = numbers.shape[static_cast<size_t>(axis)];
    result.strides[i] = numbers.strides[static_cast<size_t>(axis)];
  }
  return result;
}

Shape broadcast_shape(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1)
      throw Failure("shapes {} and {} do not go together", text_of(a), text_of(b));
    result[result.size() - 1 - i] = left == 1 ? right : left;
  }
  return result;
}

Numbers broadcast_to(const Numbers& numbers, const Shape& shape) {
  if (numbers.shape == shape) return numbers;
  Numbers result = numbers;
  // numpy lets leading sides of 1 vanish where an array is stored into a smaller one.
  while (result.shape.size() > shape.size() && result.shape[0] == 1) {
    result.shape.erase(result.shape.begin());
    result.strides.erase(result.strides.begin());
  }
  const size_t missing = shape.size() - std::min(shape.size(), result.shape.size());
  result.shape.insert(result.shape.begin(), missing, 1);
  result.strides.insert(result.strides.begin(), missing, 0);
  if (result.shape.size() != shape.size())
    throw Failure("an array of shape {} does not fit into {}", text_of(numbers.shape), text_of(shape));
  product(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (result.shape[i] == shape[i]) continue;
    if (result.shape[i] != 1)
      throw Failure("an array of shape {} does not fit into {}", text_of(numbers.shape), text_of(shape));
    result.shape[i] = shape[i];
    result.strides[i] = 0;
  }
  return result;
}

}  // namespace cuset::script
