// Functions of each element: exp, sqrt, clip, where, maximum, softmax's parts.
#include <cmath>
#include <limits>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Unary = double (*)(double);

enum class Result : uint8_t { kFloat, kSame, kBool };

// Python numbers give Python floats (kSame: of their own kind), arrays give arrays.
template <Unary f, Result result>
Value apply(Call& call) {
  const Value& given = call.need(0, "x", "input");
  if (given.is_number() && !given.is<Scalar>()) {
    const double y = f(number_of(given));
    if (result == Result::kBool) return of(y != 0);
    if (result == Result::kSame && given.is<int64_t>()) return of(static_cast<int64_t>(y));
    return of(y);
  }
  const Numbers x = call.array(0, "x", "input");
  const NumberType type = result == Result::kBool   ? NumberType::kBool
                          : result == Result::kSame ? x.type
                                                    : float_type(x.type, x.torch);
  return of(mapped(x, type, f));
}

// math.floor and math.ceil give whole numbers, numpy's give floats.
template <Unary f>
Value apply_rounding(Call& call) {
  const Value& given = call.need(0, "x", "input");
  if (call.name.substr(0, 5) != "math.") return apply<f, Result::kSame>(call);
  const double y = f(number_of(given));
  if (!(std::abs(y) < 0x1p62)) throw Failure("{} as a whole number", y);
  return of(static_cast<int64_t>(y));
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double relu(double x) { return x > 0 ? x : 0; }
double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double square(double x) { return x * x; }
double reciprocal(double x) { return 1 / x; }
double inverse_root(double x) { return 1 / std::sqrt(x); }
double negative(double x) { return -x; }
double is_nan(double x) { return std::isnan(x) ? 1 : 0; }
double is_infinite(double x) { return std::isinf(x) ? 1 : 0; }
double is_finite(double x) { return std::isfinite(x) ? 1 : 0; }
double is_zero(double x) { return x == 0 ? 1 : 0; }
double radians(double x) { return x * (3.14159265358979323846 / 180); }
double sinc(double x) {
  const double y = 3.14159265358979323846 * (x == 0 ? 1e-20 : x);
  return std::sin(y) / y;
}
double softplus(double x) { return x > 20 ? x : std::log1p(std::exp(x)); }
double silu(double x) { return x * sigmoid(x); }

Value round_half_even(Call& call) {
  const int64_t digits = call.integer(1, "decimals", 0);
  const double unit = std::pow(10.0, static_cast<double>(digits));
  const Numbers x = call.array(0, "a", "input");
  return of(mapped(x, x.type, [=](double each) { return std::nearbyint(each * unit) / unit; }));
}

template <Operator operation>
Value apply_operator(Call& call) {
  const Value& a = call.need(0, "x1", "input");
  const Value& b = call.need(1, "x2", "other");
  if (operation >= Operator::kLess && operation <= Operator::kNotEqual)
    return compare(operation, a, b, call.machine.budget);
  const Value* alpha = call.find(SIZE_MAX, "alpha");
  if (alpha)
    return binary(operation, a, binary(Operator::kMultiply, *alpha, b, call.machine.budget),
                  call.machine.budget);
  return binary(operation, a, b, call.machine.budget);
}

template <typename Function2>
Numbers both(const Call& call, const Value& a, const Value& b, bool to_float, const Function2& f) {
  const Operand left = operand_of(a), right = operand_of(b);
  const bool torch = call.torch || left.torch || right.torch;
  const NumberType type = result_type(left, right);
  const Likeness likeness{call.machine.budget, NumberType::kFloat64, torch};
  Numbers result = combined(array_of(a, likeness, std::nullopt), array_of(b, likeness, std::nullopt),
                            to_float ? float_type(type, torch) : type, f);
  result.torch = torch;
  return result;
}

using Binary = double (*)(double, double);

template <Binary f, bool to_float>
Value apply_both(Call& call) {
  return of(both(call, call.need(0, "x1", "input"), call.need(1, "x2", "other"), to_float, f));
}

double larger(double x, double y) { return x > y || std::isnan(x) ? x : y; }
double smaller(double x, double y) { return x < y || std::isnan(x) ? x : y; }
double angle(double y, double x) { return std::atan2(y, x); }
double length(double x, double y) { return std::hypot(x, y); }
double remainder_of(double x, double y) { return std::fmod(x, y); }

template <Binary f>
Value apply_logic(Call& call) {
  const Numbers a = call.array(0, "x1", "input"), b = call.array(1, "x2", "other");
  return of(combined(a, b, NumberType::kBool, f));
}
double both_true(double x, double y) { return x != 0 && y != 0 ? 1 : 0; }
double either_true(double x, double y) { return x != 0 || y != 0 ? 1 : 0; }
double one_true(double x, double y) { return (x != 0) != (y != 0) ? 1 : 0; }

Value clip(Call& call) {
  Numbers x = call.array(0, "a", "input");
  const Value* low = call.find(1, "a_min", "min");
  const Value* high = call.find(2, "a_max", "max");
  const Value self = of(x);
  Value result = low ? of(both(call, self, *low, false, larger)) : self;
  if (high) result = of(both(call, result, *high, false, smaller));
  return of(converted(*result.array(), x.type));
}

Value where(Call& call) {
  const Numbers condition = call.array(0, "condition");
  if (call.positional.size() < 2) throw Failure("where with a condition alone");
  const Value &yes = call.need(1, "x", "input"), &no = call.need(2, "y", "other");
  const Numbers chosen = both(call, yes, no, false, [](double x, double) { return x; });
  const Shape shape = broadcast_shape(condition.shape, chosen.shape);
  const Likeness likeness{call.machine.budget, chosen.type, call.torch};
  const Numbers result = new_numbers(shape, likeness);
  assign(result, array_of(no, likeness, chosen.type));
  const Numbers mask = packed(broadcast_to(condition, shape));
  const Numbers other = packed(broadcast_to(array_of(yes, likeness, chosen.type), shape));
  for (int64_t i = 0; i < result.count(); ++i)
    if (mask.data()[i] != 0) result.data()[i] = other.data()[i];
  return of(result);
}

Value is_close(Call& call) {
  const Numbers a = call.array(0, "a", "input"), b = call.array(1, "b", "other");
  const double rtol = call.number(2, "rtol", 1e-5), atol = call.number(3, "atol", 1e-8);
  return of(combined(a, b, NumberType::kBool, [=](double x, double y) {
    return x == y || std::abs(x - y) <= atol + rtol * std::abs(y) ? 1.0 : 0.0;
  }));
}

Value all_close(Call& call) {
  Call close{call.machine, "all", call.torch, {is_close(call)}, {}};
  return of(truth(find_function("numpy.all")(close)));
}

Value log_of(Call& call) {
  if (call.name.substr(0, 5) == "math." && call.positional.size() == 2)
    return of(std::log(number_of(call.positional[0])) / std::log(number_of(call.positional[1])));
  return apply<std::log, Result::kFloat>(call);
}

void add_unary(FunctionTable& table) {
  table.insert({{"exp", apply<std::exp, Result::kFloat>},
                {"log", log_of},
                {"log2", apply<std::log2, Result::kFloat>},
                {"log10", apply<std::log10, Result::kFloat>},
                {"log1p", apply<std::log1p, Result::kFloat>},
                {"expm1", apply<std::expm1, Result::kFloat>},
                {"exp2", apply<std::exp2, Result::kFloat>},
                {"sqrt", apply<std::sqrt, Result::kFloat>},
                {"cbrt", apply<std::cbrt, Result::kFloat>},
                {"rsqrt", apply<inverse_root, Result::kFloat>},
                {"sin", apply<std::sin, Result::kFloat>},
                {"cos", apply<std::cos, Result::kFloat>},
                {"tan", apply<std::tan, Result::kFloat>},
                {"sinh", apply<std::sinh, Result::kFloat>},
                {"cosh", apply<std::cosh, Result::kFloat>},
                {"tanh", apply<std::tanh, Result::kFloat>},
                {"arcsin", apply<std::asin, Result::kFloat>},
                {"asin", apply<std::asin, Result::kFloat>},
                {"arccos", apply<std::acos, Result::kFloat>},
                {"acos", apply<std::acos, Result::kFloat>},
                {"arctan", apply<std::atan, Result::kFloat>},
                {"atan", apply<std::atan, Result::kFloat>},
                {"erf", apply<std::erf, Result::kFloat>},
                {"sigmoid", apply<sigmoid, Result::kFloat>},
                {"expit", apply<sigmoid, Result::kFloat>},
                {"softplus", apply<softplus, Result::kFloat>},
                {"silu", apply<silu, Result::kFloat>},
                {"sinc", apply<sinc, Result::kFloat>},
                {"reciprocal", apply<reciprocal, Result::kFloat>},
                {"radians", apply<radians, Result::kFloat>},
                {"deg2rad", apply<radians, Result::kFloat>}});
}

void add_sign_and_rounding(FunctionTable& table) {
  table.insert({{"abs", apply<std::fabs, Result::kSame>},
                {"absolute", apply<std::fabs, Result::kSame>},
                {"fabs", apply<std::fabs, Result::kFloat>},
                {"floor", apply_rounding<std::floor>},
                {"ceil", apply_rounding<std::ceil>},
                {"trunc", apply_rounding<std::trunc>},
                {"rint", apply<std::nearbyint, Result::kSame>},
                {"round", round_half_even},
                {"around", round_half_even},
                {"sign", apply<sign, Result::kSame>},
                {"relu", apply<relu, Result::kSame>},
                {"square", apply<square, Result::kSame>},
                {"negative", apply<negative, Result::kSame>},
                {"neg", apply<negative, Result::kSame>},
                {"isnan", apply<is_nan, Result::kBool>},
                {"isinf", apply<is_infinite, Result::kBool>},
                {"isfinite", apply<is_finite, Result::kBool>},
                {"logical_not", apply<is_zero, Result::kBool>}});
}

}  // namespace

void add_elementwise_functions(FunctionTable& table) {
  add_unary(table);
  add_sign_and_rounding(table);
  table.insert({{"add", apply_operator<Operator::kAdd>},
                {"subtract", apply_operator<Operator::kSubtract>},
                {"sub", apply_operator<Operator::kSubtract>},
                {"multiply", apply_operator<Operator::kMultiply>},
                {"mul", apply_operator<Operator::kMultiply>},
                {"divide", apply_operator<Operator::kDivide>},
                {"div", apply_operator<Operator::kDivide>},
                {"true_divide", apply_operator<Operator::kDivide>},
                {"floor_divide", apply_operator<Operator::kFloorDivide>},
                {"mod", apply_operator<Operator::kModulo>},
                {"remainder", apply_operator<Operator::kModulo>},
                {"power", apply_operator<Operator::kPower>},
                {"pow", apply_operator<Operator::kPower>},
                {"bitwise_and", apply_operator<Operator::kBitAnd>},
                {"bitwise_or", apply_operator<Operator::kBitOr>},
                {"bitwise_xor", apply_operator<Operator::kBitXor>},
                {"matmul", apply_operator<Operator::kMatrixMultiply>},
                {"mm", apply_operator<Operator::kMatrixMultiply>},
                {"bmm", apply_operator<Operator::kMatrixMultiply>},
                {"dot", apply_operator<Operator::kMatrixMultiply>},
                {"less", apply_operator<Operator::kLess>},
                {"greater", apply_operator<Operator::kGreater>},
                {"equal", apply_operator<Operator::kEqual>},
                {"maximum", apply_both<larger, false>},
                {"minimum", apply_both<smaller, false>},
                {"fmax", apply_both<larger, false>},
                {"fmin", apply_both<smaller, false>},
                {"arctan2", apply_both<angle, true>},
                {"atan2", apply_both<angle, true>},
                {"hypot", apply_both<length, true>},
                {"fmod", apply_both<remainder_of, false>},
                {"logical_and", apply_logic<both_true>},
                {"logical_or", apply_logic<either_true>},
                {"logical_xor", apply_logic<one_true>},
                {"clip", clip},
                {"clamp", clip},
                {"where", where},
                {"isclose", is_close},
                {"allclose", all_close}});
}

}  // namespace cuset::script
