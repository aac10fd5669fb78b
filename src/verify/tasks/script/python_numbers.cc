#include "verify/tasks/script/python_numbers.h"

#include <cmath>
#include <optional>

#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

int64_t unless(bool overflow, int64_t result) {
  if (overflow) throw Failure("a whole number beyond 64 bits");
  return result;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  const bool overflow = __builtin_add_overflow(a, b, &result);
  return unless(overflow, result);
}

int64_t difference(int64_t a, int64_t b) {
  int64_t result = 0;
  const bool overflow = __builtin_sub_overflow(a, b, &result);
  return unless(overflow, result);
}

int64_t multiple(int64_t a, int64_t b) {
  int64_t result = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &result);
  return unless(overflow, result);
}

int64_t floor_quotient(int64_t a, int64_t b) {
  if (b == 0) throw Failure("division by zero");
  if (b == -1) return difference(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

int64_t whole_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiple(result, base);
    if (exponent > 1) base = multiple(base, base);
  }
  return result;
}

int64_t shifted_left(int64_t a, int64_t by) {
  if (by < 0) throw Failure("a negative shift");
  const int64_t result = by > 62 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << by);
  return unless(a != 0 && (by > 62 || (result >> by) != a), result);
}

std::optional<Value> whole_binary(Operator operation, int64_t a, int64_t b) {
  switch (operation) {
    case Operator::kAdd:
      return of(sum(a, b));
    case Operator::kSubtract:
      return of(difference(a, b));
    case Operator::kMultiply:
      return of(multiple(a, b));
    case Operator::kFloorDivide:
      return of(floor_quotient(a, b));
    case Operator::kModulo:
      return of(b == -1 ? int64_t{0} : a - floor_quotient(a, b) * b);
    case Operator::kPower:
      if (b >= 0) return of(whole_power(a, b));
      return std::nullopt;
    case Operator::kBitAnd:
      return of(a & b);
    case Operator::kBitOr:
      return of(a | b);
    case Operator::kBitXor:
      return of(a ^ b);
    case Operator::kShiftLeft:
      return of(shifted_left(a, b));
    case Operator::kShiftRight:
      if (b < 0) throw Failure("a negative shift");
      return of(a >> std::min<int64_t>(b, 63));
    default:
      return std::nullopt;
  }
}

double floating_binary(Operator operation, double a, double b) {
  const bool divides =
      operation == Operator::kDivide || operation == Operator::kFloorDivide || operation == Operator::kModulo;
  if (divides && b == 0) throw Failure("division by zero");
  switch (operation) {
    case Operator::kAdd:
      return a + b;
    case Operator::kSubtract:
      return a - b;
    case Operator::kMultiply:
      return a * b;
    case Operator::kDivide:
      return a / b;
    case Operator::kFloorDivide:
      return std::floor(a / b);
    case Operator::kModulo: {
      const double rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case Operator::kPower:
      return std::pow(a, b);
    default:
      throw Failure("an operator that floats do not have");
  }
}

struct Format {
  std::string padding;  // "0" or ""
  int width = 0;
  int digits = -1;
  char kind = 0;
};

Format format_of(const std::string& text) {
  Format format;
  size_t at = 0;
  while (at < text.size() && std::string("<>^+ ,-#").find(text[at]) != std::string::npos) ++at;
  if (at < text.size() && text[at] == '0') format.padding = "0";
  const auto number = [&] {
    int value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      value = std::min(value * 10 + (text[at] - '0'), 100);
    return value;
  };
  format.width = number();
  if (at < text.size() && text[at] == '.') {
    ++at;
    format.digits = number();
  }
  if (at < text.size()) format.kind = text[at];
  return format;
}

}  // namespace

Value python_binary(Operator operation, const Value& a, const Value& b) {
  if (!a.is<double>() && !b.is<double>())
    if (const auto result = whole_binary(operation, integer_of(a), integer_of(b))) {
      const bool logical =
          operation == Operator::kBitAnd || operation == Operator::kBitOr || operation == Operator::kBitXor;
      if (logical && a.is<bool>() && b.is<bool>()) return of(integer_of(*result) != 0);
      return *result;
    }
  return of(floating_binary(operation, number_of(a), number_of(b)));
}

Value python_unary(Operator operation, const Value& value) {
  if (const auto* number = value.as<double>()) {
    if (operation == Operator::kInvert) throw Failure("~ of a float");
    return of(-*number);
  }
  const int64_t whole = integer_of(value);
  if (operation == Operator::kInvert) return of(~whole);
  return of(difference(0, whole));
}

std::string formatted(const Value& value, const std::string& text) {
  if (text.empty() || !value.is_number()) return printed(value);
  const Format format = format_of(text);
  const double number = number_of(value);
  switch (format.kind) {
    case 'd':
      return fmt::format(fmt::runtime("{:" + format.padding + "{}}"), integer_of(value), format.width);
    case 'x':
      return fmt::format("{:x}", integer_of(value));
    case 'f':
      return fmt::format("{:.{}f}", number, format.digits < 0 ? 6 : format.digits);
    case 'e':
      return fmt::format("{:.{}e}", number, format.digits < 0 ? 6 : format.digits);
    case 'g':
      return fmt::format("{:.{}g}", number, format.digits < 0 ? 6 : format.digits);
    default:
      break;
  }
  if (value.is<int64_t>())
    return fmt::format(fmt::runtime("{:" + format.padding + "{}}"), integer_of(value), format.width);
  return format.digits >= 0 ? fmt::format("{:.{}g}", number, format.digits) : printed(value);
}

std::string percent_formatted(const std::string& format, const Value& values) {
  const Values items = values.is<std::shared_ptr<Tuple>>() ? *values.items() : Values{values};
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      result += format[i];
      continue;
    }
    const size_t end = format.find_first_not_of("0123456789.-+ ", i + 1);
    if (end == std::string::npos) throw Failure("a % without its letter");
    if (format[end] == '%') {
      result += '%';
    } else {
      if (next >= items.size()) throw Failure("fewer values than % signs");
      const std::string spec = format.substr(i + 1, end - i);
      result +=
          format[end] == 's' || format[end] == 'r' ? printed(items[next]) : formatted(items[next], spec);
      ++next;
    }
    i = end;
  }
  return result;
}

}  // namespace cuset::script
