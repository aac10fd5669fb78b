#include "verify/tasks/script/arithmetic.h"

#include <cmath>

#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/linear_algebra.h"
#include "verify/tasks/script/python_numbers.h"

namespace cuset::script {
namespace {

constexpr size_t kLongest = size_t{1} << 22;  // of a list or str made by an operator

// bool 0, whole 1, floating 2.
int category(NumberType type) { return type == NumberType::kBool ? 0 : is_floating(type) ? 2 : 1; }

bool is_unsigned(NumberType type) {
  return type == NumberType::kUint8 || type == NumberType::kUint16 || type == NumberType::kUint32 ||
         type == NumberType::kUint64;
}

NumberType wider_whole(NumberType a, NumberType b) {
  if (is_unsigned(a) == is_unsigned(b)) return bytes_of(a) >= bytes_of(b) ? a : b;
  const NumberType without = is_unsigned(a) ? a : b, with_sign = is_unsigned(a) ? b : a;
  if (bytes_of(with_sign) > bytes_of(without)) return with_sign;
  switch (without) {
    case NumberType::kUint8:
      return NumberType::kInt16;
    case NumberType::kUint16:
      return NumberType::kInt32;
    default:
      return NumberType::kInt64;
  }
}

NumberType wider(const Operand& a, const Operand& b) {
  if (a.type == b.type) return a.type;
  if (category(a.type) == category(b.type)) {
    if (category(a.type) == 1) return wider_whole(a.type, b.type);
    if (bytes_of(a.type) == bytes_of(b.type)) return NumberType::kFloat32;  // float16 with bfloat16
    return bytes_of(a.type) > bytes_of(b.type) ? a.type : b.type;
  }
  const Operand& high = category(a.type) > category(b.type) ? a : b;
  const Operand& low = category(a.type) > category(b.type) ? b : a;
  const bool holds_it = category(low.type) == 0 || bytes_of(low.type) < bytes_of(high.type);
  if (category(high.type) == 1 || a.torch || b.torch || holds_it) return high.type;
  return NumberType::kFloat64;
}

bool is_comparison(Operator operation) {
  return operation >= Operator::kLess && operation <= Operator::kNotEqual;
}

int64_t bits_of(double x) {
  if (std::abs(x) > 0x1p53) throw Failure("a whole number beyond 2^53");
  return static_cast<int64_t>(x);
}

double floor_modulo(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

// Calls use(f) with the function of two doubles that `operation` is.
template <typename Use>
auto with_function(Operator operation, const Use& use) {
  switch (operation) {
    case Operator::kAdd:
      return use([](double x, double y) { return x + y; });
    case Operator::kSubtract:
      return use([](double x, double y) { return x - y; });
    case Operator::kMultiply:
      return use([](double x, double y) { return x * y; });
    case Operator::kDivide:
      return use([](double x, double y) { return x / y; });
    case Operator::kFloorDivide:
      return use([](double x, double y) { return std::floor(x / y); });
    case Operator::kModulo:
      return use(floor_modulo);
    case Operator::kPower:
      return use([](double x, double y) { return y == 2 ? x * x : std::pow(x, y); });
    case Operator::kBitAnd:
      return use([](double x, double y) { return static_cast<double>(bits_of(x) & bits_of(y)); });
    case Operator::kBitOr:
      return use([](double x, double y) { return static_cast<double>(bits_of(x) | bits_of(y)); });
    case Operator::kBitXor:
      return use([](double x, double y) { return static_cast<double>(bits_of(x) ^ bits_of(y)); });
    case Operator::kShiftLeft:
      return use([](double x, double y) { return x * std::exp2(y); });
    case Operator::kShiftRight:
      return use([](double x, double y) { return std::floor(x * std::exp2(-y)); });
    case Operator::kLess:
      return use([](double x, double y) { return x < y ? 1.0 : 0.0; });
    case Operator::kLessEqual:
      return use([](double x, double y) { return x <= y ? 1.0 : 0.0; });
    case Operator::kGreater:
      return use([](double x, double y) { return x > y ? 1.0 : 0.0; });
    case Operator::kGreaterEqual:
      return use([](double x, double y) { return x >= y ? 1.0 : 0.0; });
    case Operator::kEqual:
      return use([](double x, double y) { return x == y ? 1.0 : 0.0; });
    case Operator::kNotEqual:
      return use([](double x, double y) { return x != y ? 1.0 : 0.0; });
    default:
      throw Failure("an operator that arrays do not have");
  }
}

NumberType type_of_result(Operator operation, const Operand& a, const Operand& b) {
  if (is_comparison(operation)) return NumberType::kBool;
  const NumberType type = result_type(a, b);
  return operation == Operator::kDivide ? float_type(type, a.torch || b.torch) : type;
}

Numbers combine_arrays(Operator operation, const Value& a, const Value& b,
                       const std::shared_ptr<Budget>& budget) {
  if (a.items()) return combine_arrays(operation, of(array_of(a, {budget}, std::nullopt)), b, budget);
  if (b.items()) return combine_arrays(operation, a, of(array_of(b, {budget}, std::nullopt)), budget);
  const Operand left = operand_of(a), right = operand_of(b);
  const bool torch = left.torch || right.torch;
  const NumberType type = type_of_result(operation, left, right);
  const Numbers x = array_of(a, {budget, NumberType::kFloat64, torch}, std::nullopt);
  const Numbers y = array_of(b, {budget, NumberType::kFloat64, torch}, std::nullopt);
  Numbers result = with_function(operation, [&](const auto& f) { return combined(x, y, type, f); });
  result.torch = torch;
  return result;
}

Value combine_scalars(Operator operation, const Value& a, const Value& b) {
  const Operand left = operand_of(a), right = operand_of(b);
  const NumberType type = type_of_result(operation, left, right);
  const double x = number_of(a), y = number_of(b);
  const double result = with_function(operation, [&](const auto& f) { return static_cast<double>(f(x, y)); });
  if (type == NumberType::kBool) return of(result != 0);
  return {Scalar{rounded_to(type, result), type, left.torch || right.torch}};
}

bool is_python_number(const Value& value) { return value.is_number() && !value.is<Scalar>(); }

Value repeated(const Value& sequence, int64_t times, Budget& budget) {
  if (const std::string* text = sequence.string()) {
    if (times > 0 && text->size() > kLongest / static_cast<size_t>(times))
      throw Failure("a str that is too long");
    std::string result;
    for (int64_t i = 0; i < times; ++i) result += *text;
    return of(std::move(result));
  }
  const Values& items = *sequence.items();
  if (times > 0 && items.size() > kLongest / static_cast<size_t>(times))
    throw Failure("a list that is too long");
  budget.count_items(items.size() * static_cast<size_t>(std::max<int64_t>(times, 0)));
  Values result;
  for (int64_t i = 0; i < times; ++i) result.insert(result.end(), items.begin(), items.end());
  return sequence.is<std::shared_ptr<Tuple>>() ? tuple_of(std::move(result)) : list_of(std::move(result));
}

// + and * of strings, lists and tuples; nothing where this is not the case.
std::optional<Value> combine_sequences(Operator operation, const Value& a, const Value& b, Budget& budget) {
  const bool left = a.string() || a.items(), right = b.string() || b.items();
  if (operation == Operator::kMultiply && left && is_python_number(b))
    return repeated(a, integer_of(b), budget);
  if (operation == Operator::kMultiply && right && is_python_number(a))
    return repeated(b, integer_of(a), budget);
  if (operation != Operator::kAdd || a.held.index() != b.held.index()) return std::nullopt;
  if (a.string()) {
    if (a.string()->size() + b.string()->size() > kLongest) throw Failure("a str that is too long");
    return of(*a.string() + *b.string());
  }
  if (!a.items()) return std::nullopt;
  budget.count_items(a.items()->size() + b.items()->size());
  Values items = *a.items();
  items.insert(items.end(), b.items()->begin(), b.items()->end());
  return a.is<std::shared_ptr<Tuple>>() ? tuple_of(std::move(items)) : list_of(std::move(items));
}

bool contains(const Value& container, const Value& item) {
  if (container.string() && item.string())
    return container.string()->find(*item.string()) != std::string::npos;
  for (const Value& each : elements_of(container))
    if (equal(each, item)) return true;
  return false;
}

bool is_same(const Value& a, const Value& b) {
  if (a.is_none() || b.is_none()) return a.is_none() && b.is_none();
  if (a.array() || b.array()) return a.array() == b.array();
  return equal(a, b);
}

void shape_of_nested(const Value& value, Shape& shape, int depth) {
  if (depth > 16) throw Failure("lists nested too deeply");
  if (const Numbers* numbers = value.array()) {
    shape.insert(shape.end(), numbers->shape.begin(), numbers->shape.end());
  } else if (!value.is_number()) {
    const Values items = elements_of(value);
    shape.push_back(static_cast<int64_t>(items.size()));
    if (!items.empty()) shape_of_nested(items[0], shape, depth + 1);
  }
}

// The wider of all elements' types; Python numbers alone give int64, bool, or the default float.
void widen(const Value& value, std::optional<Operand>& operand, int depth) {
  if (depth > 16) throw Failure("lists nested too deeply");
  if (value.array() || value.is_number()) {
    Operand found = operand_of(value);
    found.level = value.is<Scalar>() || value.array() ? 2 : found.level;
    if (!operand) {
      operand = found;
    } else {
      operand->type = result_type(*operand, found);
      operand->level = std::max(operand->level, found.level);
    }
    return;
  }
  for (const Value& item : elements_of(value)) widen(item, operand, depth + 1);
}

void fill_nested(const Value& value, const Shape& shape, size_t axis, double*& out) {
  if (const Numbers* numbers = value.array()) {
    if (!std::equal(shape.begin() + static_cast<int64_t>(axis), shape.end(), numbers->shape.begin(),
                    numbers->shape.end()))
      throw Failure("arrays of different shapes in one list");
    const Numbers flat = packed(*numbers);
    out = std::copy_n(flat.data(), flat.count(), out);
    return;
  }
  if (axis == shape.size()) {
    *out++ = number_of(value);
    return;
  }
  const Values items = elements_of(value);
  if (static_cast<int64_t>(items.size()) != shape[axis])
    throw Failure("lists of different lengths in one array");
  for (const Value& item : items) fill_nested(item, shape, axis + 1, out);
}

Numbers from_nested(const Value& value, const Likeness& likeness, std::optional<NumberType> type) {
  Shape shape;
  shape_of_nested(value, shape, 0);
  std::optional<Operand> operand;
  if (!type) widen(value, operand, 0);
  const NumberType default_float = likeness.torch ? NumberType::kFloat32 : NumberType::kFloat64;
  NumberType own = operand ? operand->type : default_float;
  if (operand && operand->level == 0 && is_floating(own)) own = default_float;
  const Numbers result = new_numbers(shape, {likeness.budget, type.value_or(own), likeness.torch});
  double* out = result.data();
  fill_nested(value, shape, 0, out);
  round_to(result.type, {result.data(), static_cast<size_t>(result.count())});
  return result;
}

}  // namespace

Operand operand_of(const Value& value) {
  if (const Numbers* numbers = value.array())
    return {numbers->type, numbers->rank() == 0 ? 1 : 2, numbers->torch};
  if (const auto* scalar = value.as<Scalar>()) return {scalar->type, 1, scalar->torch};
  if (value.is<bool>()) return {NumberType::kBool, 0, false};
  if (value.is<int64_t>()) return {NumberType::kInt64, 0, false};
  if (value.is<double>()) return {NumberType::kFloat64, 0, false};
  throw Failure("{} in arithmetic", kind_of(value));
}

NumberType result_type(const Operand& a, const Operand& b) {
  if (a.level == b.level) return wider(a, b);
  const Operand& strong = a.level > b.level ? a : b;
  const Operand& weak = a.level > b.level ? b : a;
  if (category(weak.type) <= category(strong.type)) return strong.type;
  if (category(weak.type) == 1 || weak.level == 1) return weak.type;
  return float_type(strong.type, strong.torch);
}

NumberType float_type(NumberType type, bool torch) {
  if (is_floating(type)) return type;
  return torch ? NumberType::kFloat32 : NumberType::kFloat64;
}

Numbers array_of(const Value& value, const Likeness& likeness, std::optional<NumberType> type) {
  if (const Numbers* numbers = value.array()) {
    if (!type || numbers->type == *type) return *numbers;
    return converted(*numbers, *type);
  }
  if (const auto* scalar = value.as<Scalar>())
    return filled({}, {likeness.budget, type.value_or(scalar->type), likeness.torch || scalar->torch},
                  scalar->value);
  return from_nested(value, likeness, type);
}

Value binary(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget) {
  if (is_python_number(a) && is_python_number(b)) return python_binary(operation, a, b);
  if (auto sequence = combine_sequences(operation, a, b, *budget)) return *std::move(sequence);
  if (operation == Operator::kMatrixMultiply)
    return of(matrix_product(array_of(a, {budget}, std::nullopt), array_of(b, {budget}, std::nullopt)));
  if (operation == Operator::kModulo && a.string()) return of(percent_formatted(*a.string(), b));
  if (operation == Operator::kDivide && a.string() && b.string()) return of(*a.string() + "/" + *b.string());
  if (a.is_number() && b.is_number()) return combine_scalars(operation, a, b);
  if (!a.array() && !b.array() && !a.is<Scalar>() && !b.is<Scalar>())
    throw Failure("an operator between {} and {}", kind_of(a), kind_of(b));
  return of(combine_arrays(operation, a, b, budget));
}

Value compare(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget) {
  switch (operation) {
    case Operator::kIn:
      return of(contains(b, a));
    case Operator::kNotIn:
      return of(!contains(b, a));
    case Operator::kIs:
      return of(is_same(a, b));
    case Operator::kIsNot:
      return of(!is_same(a, b));
    default:
      break;
  }
  if (a.array() || b.array()) {
    if (a.is_none() || b.is_none()) return of(operation == Operator::kNotEqual);
    return of(combine_arrays(operation, a, b, budget));
  }
  if (operation == Operator::kEqual) return of(equal(a, b));
  if (operation == Operator::kNotEqual) return of(!equal(a, b));
  if (a.is_number() && b.is_number()) return combine_scalars(operation, a, b);
  if (a.string() && b.string()) {
    const int order = a.string()->compare(*b.string());
    return combine_scalars(operation, of(int64_t{order}), of(int64_t{0}));
  }
  throw Failure("a comparison of {} with {}", kind_of(a), kind_of(b));
}

Value unary(Operator operation, const Value& value) {
  if (operation == Operator::kNot) return of(!truth(value));
  if (operation == Operator::kPlus) return value;
  if (is_python_number(value)) return python_unary(operation, value);
  const Operand operand = operand_of(value);
  if (operation == Operator::kInvert && is_floating(operand.type)) throw Failure("~ of floats");
  const bool logical = operation == Operator::kInvert && operand.type == NumberType::kBool;
  const auto f = [&](double x) {
    return logical ? (x == 0 ? 1.0 : 0.0) : operation == Operator::kInvert ? -x - 1 : -x;
  };
  if (const Numbers* numbers = value.array()) return of(mapped(*numbers, numbers->type, f));
  return {Scalar{rounded_to(operand.type, f(number_of(value))), operand.type, operand.torch}};
}

bool in_place(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget) {
  if (const auto* list = a.as<std::shared_ptr<List>>(); list && operation == Operator::kAdd) {
    const Values added = elements_of(b);
    budget->count_items(added.size());
    (*list)->items.insert((*list)->items.end(), added.begin(), added.end());
    return true;
  }
  const Numbers* target = a.array();
  if (!target) return false;
  const Value result = binary(operation, a, b, budget);
  if (!result.array() || result.array()->rank() > target->rank())
    throw Failure("an in-place operation changes the shape");
  assign(*target, *result.array());
  return true;
}

}  // namespace cuset::script
