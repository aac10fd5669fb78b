// Sums, means, extremes and running sums over axes.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Row = std::span<const double>;

// The array with the reduced axes last, contiguous, and the shape of what remains.
struct Folded {
  Numbers numbers;
  int64_t length = 1;  // of a row: the product of the reduced axes
  Shape rest;
  Shape rest_kept;  // with 1 for the reduced axes
};

Folded folded(const Numbers& a, const std::vector<int64_t>& axes) {
  Folded result;
  std::vector<int64_t> order;
  result.rest_kept = a.shape;
  for (int64_t axis = 0; axis < a.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    order.push_back(axis);
    result.rest.push_back(a.shape[static_cast<size_t>(axis)]);
  }
  for (const int64_t axis : axes) {
    order.push_back(axis);
    result.length *= a.shape[static_cast<size_t>(axis)];
    result.rest_kept[static_cast<size_t>(axis)] = 1;
  }
  result.numbers = packed(permuted(a, order));
  return result;
}

bool keeps_axes(const Call& call) {
  return call.flag(SIZE_MAX, "keepdims", false) || call.flag(SIZE_MAX, "keepdim", false);
}

constexpr int64_t kLongestConstant = 65536;

template <typename Fold>
Numbers reduced(const Call& call, const Numbers& a, NumberType type, const Fold& fold) {
  const Folded parts = folded(a, call.axes(1, a.rank()));
  const Shape& shape = keeps_axes(call) ? parts.rest_kept : parts.rest;
  if (is_constant(a)) {
    // Of a longer row, only a sum that is not 0 differs.
    const std::vector<double> row(static_cast<size_t>(std::min(parts.length, kLongestConstant)), *a.data());
    return constant_numbers(shape, {a.budget(), type, a.torch}, fold(Row(row)));
  }
  const Numbers result = new_numbers(shape, {a.budget(), type, a.torch});
  for (int64_t i = 0; i < result.count(); ++i)
    result.data()[i] = fold(Row(parts.numbers.data() + i * parts.length, static_cast<size_t>(parts.length)));
  round_to(type, {result.data(), static_cast<size_t>(result.count())});
  return result;
}

// Pairwise, so that long sums stay exact enough for float32.
double sum_of(Row row) {
  if (row.size() <= 64) return std::accumulate(row.begin(), row.end(), 0.0);
  const size_t half = row.size() / 2;
  return sum_of(row.first(half)) + sum_of(row.subspan(half));
}

double mean_of(Row row) { return sum_of(row) / static_cast<double>(row.size()); }

double variance_of(Row row, double correction) {
  const double mean = mean_of(row);
  double squares = 0;
  for (const double x : row) squares += (x - mean) * (x - mean);
  return squares / (static_cast<double>(row.size()) - correction);
}

double largest_of(Row row) {
  if (row.empty()) throw Failure("the largest of no numbers");
  return *std::max_element(row.begin(), row.end());
}
double smallest_of(Row row) {
  if (row.empty()) throw Failure("the smallest of no numbers");
  return *std::min_element(row.begin(), row.end());
}
double index_of_largest(Row row) {
  return static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin());
}
double index_of_smallest(Row row) {
  return static_cast<double>(std::min_element(row.begin(), row.end()) - row.begin());
}
double any_of(Row row) {
  return std::any_of(row.begin(), row.end(), [](double x) { return x != 0; }) ? 1 : 0;
}
double all_of(Row row) {
  return std::all_of(row.begin(), row.end(), [](double x) { return x != 0; }) ? 1 : 0;
}
double product_of(Row row) { return std::accumulate(row.begin(), row.end(), 1.0, std::multiplies<>()); }
double nonzeros_of(Row row) {
  return static_cast<double>(std::count_if(row.begin(), row.end(), [](double x) { return x != 0; }));
}
double median_of(Row row) {
  if (row.empty()) throw Failure("the median of no numbers");
  std::vector<double> sorted(row.begin(), row.end());
  std::sort(sorted.begin(), sorted.end());
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

enum class Kind : uint8_t { kSum, kFloat, kSame, kIndex, kBool };

NumberType type_for(const Call& call, const Numbers& a, Kind kind) {
  if (const auto given = call.dtype()) return *given;
  switch (kind) {
    case Kind::kSum:
      return is_floating(a.type) ? a.type : NumberType::kInt64;
    case Kind::kFloat:
      return float_type(a.type, a.torch);
    case Kind::kSame:
      return a.type;
    case Kind::kIndex:
      return NumberType::kInt64;
    case Kind::kBool:
      return NumberType::kBool;
  }
  return a.type;
}

using Fold = double (*)(Row);

template <Fold fold, Kind kind>
Value reduce(Call& call) {
  const Numbers a = call.array(0, "a", "input");
  return of(reduced(call, a, type_for(call, a, kind), fold));
}

// torch.max(x, dim) gives values and indices; torch.max(x, y) the larger of both.
template <Fold fold, Fold index>
Value extreme(Call& call) {
  const Numbers a = call.array(0, "a", "input");
  const bool pair = call.torch && call.positional.size() > 1 && call.positional[1].array();
  if (pair) {
    const Function both = find_function(fold == Fold{largest_of} ? "torch.maximum" : "torch.minimum");
    return both(call);
  }
  Value values = of(reduced(call, a, a.type, fold));
  if (!call.torch || !call.find(1, "axis", "dim") || call.name.substr(call.name.rfind('.') + 1) == "amax" ||
      call.name.substr(call.name.rfind('.') + 1) == "amin")
    return values;
  return tuple_of({std::move(values), of(reduced(call, a, NumberType::kInt64, index))});
}

double correction_of(const Call& call) {
  if (const Value* unbiased = call.find(SIZE_MAX, "unbiased")) return truth(*unbiased) ? 1 : 0;
  if (const Value* given = call.find(SIZE_MAX, "correction", "ddof")) return number_of(*given);
  return call.torch ? 1 : 0;
}

Value variance(Call& call) {
  const Numbers a = call.array(0, "a", "input");
  const double correction = correction_of(call);
  return of(reduced(call, a, type_for(call, a, Kind::kFloat),
                    [=](Row row) { return variance_of(row, correction); }));
}

Value deviation(Call& call) {
  const Numbers a = call.array(0, "a", "input");
  const double correction = correction_of(call);
  return of(reduced(call, a, type_for(call, a, Kind::kFloat),
                    [=](Row row) { return std::sqrt(variance_of(row, correction)); }));
}

Value norm(Call& call) {
  const Numbers a = call.array(0, "x", "input");
  const Value* given = call.find(1, "ord", "p");
  if (given && given->string()) throw Failure("norm of kind {}", *given->string());
  const double order = given ? number_of(*given) : 2;
  Call over = call;
  if (over.positional.size() > 1) over.positional.erase(over.positional.begin() + 1);
  return of(reduced(over, a, type_for(call, a, Kind::kFloat), [=](Row row) {
    double sum = 0, most = 0;
    for (const double x : row) {
      sum += order == 2 ? x * x : std::pow(std::abs(x), order);
      most = std::max(most, std::abs(x));
    }
    return std::isinf(order) ? most : order == 2 ? std::sqrt(sum) : std::pow(sum, 1 / order);
  }));
}

// f(row) changes rows along one axis in place.
template <typename Change>
Numbers changed_rows(const Numbers& a, int64_t axis, NumberType type, const Change& change) {
  std::vector<int64_t> order, back(static_cast<size_t>(a.rank()));
  for (int64_t i = 0; i < a.rank(); ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  const Numbers rows = converted(permuted(a, order), NumberType::kFloat64);
  const int64_t length = std::max<int64_t>(a.shape[static_cast<size_t>(axis)], 1);
  for (int64_t i = 0; i + length <= rows.count(); i += length)
    change(std::span<double>(rows.data() + i, static_cast<size_t>(length)));
  Numbers result = converted(permuted(rows, back), type);
  result.torch = a.torch;
  return result;
}

template <typename Step>
Value running(const Call& call, const Step& step) {
  Numbers a = call.array(0, "a", "input");
  const Value* given = call.find(1, "axis", "dim");
  if (!given) a = reshaped(a, {-1});
  const int64_t axis = given ? axis_of(integer_of(*given), a.rank()) : 0;
  return of(changed_rows(a, axis, type_for(call, a, Kind::kSum), [&](std::span<double> row) {
    for (size_t i = 1; i < row.size(); ++i) row[i] = step(row[i - 1], row[i]);
  }));
}

Value cumsum(Call& call) {
  return running(call, [](double sum, double x) { return sum + x; });
}
Value cumprod(Call& call) {
  return running(call, [](double sum, double x) { return sum * x; });
}

Value soft_maximum(const Call& call, bool logarithm) {
  const Numbers a = call.array(0, "input", "x");
  const Value* given = call.find(1, "dim", "axis");
  const int64_t axis = axis_of(given ? integer_of(*given) : -1, a.rank());
  return of(changed_rows(a, axis, type_for(call, a, Kind::kFloat), [&](std::span<double> row) {
    const double most = largest_of(row);
    double sum = 0;
    for (const double x : row) sum += std::exp(x - most);
    for (double& x : row) x = logarithm ? x - most - std::log(sum) : std::exp(x - most) / sum;
  }));
}

Value softmax(Call& call) { return soft_maximum(call, false); }
Value log_softmax(Call& call) { return soft_maximum(call, true); }

Value normalize(Call& call) {
  const Numbers a = call.array(0, "input");
  const int64_t axis = axis_of(call.integer(2, "dim", 1), a.rank());
  return of(changed_rows(a, axis, a.type, [](std::span<double> row) {
    double squares = 0;
    for (const double x : row) squares += x * x;
    const double length = std::max(std::sqrt(squares), 1e-12);
    for (double& x : row) x /= length;
  }));
}

}  // namespace

void add_reduction_functions(FunctionTable& table) {
  table.insert({{"sum", reduce<sum_of, Kind::kSum>},
                {"mean", reduce<mean_of, Kind::kFloat>},
                {"average", reduce<mean_of, Kind::kFloat>},
                {"prod", reduce<product_of, Kind::kSum>},
                {"max", extreme<largest_of, index_of_largest>},
                {"min", extreme<smallest_of, index_of_smallest>},
                {"amax", extreme<largest_of, index_of_largest>},
                {"amin", extreme<smallest_of, index_of_smallest>},
                {"argmax", reduce<index_of_largest, Kind::kIndex>},
                {"argmin", reduce<index_of_smallest, Kind::kIndex>},
                {"any", reduce<any_of, Kind::kBool>},
                {"all", reduce<all_of, Kind::kBool>},
                {"count_nonzero", reduce<nonzeros_of, Kind::kIndex>},
                {"median", reduce<median_of, Kind::kFloat>},
                {"var", variance},
                {"std", deviation},
                {"norm", norm},
                {"vector_norm", norm},
                {"cumsum", cumsum},
                {"cumprod", cumprod},
                {"softmax", softmax},
                {"log_softmax", log_softmax},
                {"normalize", normalize}});
}

}  // namespace cuset::script
