// Sorting and searching: sort, argsort, unique, nonzero, topk, searchsorted, bincount.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

struct Sorted {
  Numbers values, indices;
};

// Along the last axis of a contiguous array; NaN last.
Sorted sorted_rows(const Numbers& a, bool descending) {
  const Sorted result{copied(a), new_numbers(a.shape, {a.budget(), NumberType::kInt64, a.torch})};
  const int64_t length = a.rank() == 0 ? 1 : a.shape.back();
  std::vector<int64_t> order(static_cast<size_t>(std::max<int64_t>(length, 0)));
  for (int64_t begin = 0; length > 0 && begin < a.count(); begin += length) {
    a.budget()->check_time();
    const double* const row = a.data() + begin;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
      if (std::isnan(row[x]) || std::isnan(row[y])) return !std::isnan(row[x]) && std::isnan(row[y]);
      return descending ? row[x] > row[y] : row[x] < row[y];
    });
    for (int64_t i = 0; i < length; ++i) {
      result.values.data()[begin + i] = row[order[static_cast<size_t>(i)]];
      result.indices.data()[begin + i] = static_cast<double>(order[static_cast<size_t>(i)]);
    }
  }
  return result;
}

// Sorts along an axis, by default the last.
Sorted sorted_along(const Call& call) {
  Numbers a = call.array(0, "a", "input");
  const Value* given = call.find(1, "axis", "dim");
  const bool descending = call.flag(2, "descending", false);
  if (a.rank() == 0) return sorted_rows(a, descending);
  const int64_t axis = axis_of(given ? integer_of(*given) : -1, a.rank());
  std::vector<int64_t> order;
  for (int64_t i = 0; i < a.rank(); ++i) order.push_back(i);
  std::swap(order[static_cast<size_t>(axis)], order.back());
  Sorted result = sorted_rows(packed(permuted(a, order)), descending);
  return {packed(permuted(result.values, order)), packed(permuted(result.indices, order))};
}

Value sort(Call& call) {
  Sorted result = sorted_along(call);
  if (!call.torch) return of(result.values);
  return tuple_of({of(result.values), of(result.indices)});
}

Value argsort(Call& call) { return of(sorted_along(call).indices); }

Value topk(Call& call) {
  const Numbers a = packed(call.array(0, "input"));
  if (a.rank() == 0) throw Failure("topk of a single number");
  const int64_t k = integer_of(call.need(1, "k"));
  if (k < 0 || k > a.shape.back()) throw Failure("the top {} of {}", k, a.shape.back());
  Sorted result = sorted_rows(a, call.flag(SIZE_MAX, "largest", true));
  result.values.shape.back() = result.indices.shape.back() = k;
  return tuple_of({of(packed(result.values)), of(packed(result.indices))});
}

Value unique(Call& call) {
  for (const auto& [name, value] : call.keywords)
    if (name.substr(0, 7) == "return_" && truth(value)) throw Failure("unique with {}", name);
  const Numbers a = copied(reshaped(call.array(0, "ar", "input"), {-1}));
  std::sort(a.data(), a.data() + a.count());
  Numbers result = a;
  result.shape[0] = std::unique(a.data(), a.data() + a.count()) - a.data();
  return of(packed(result));
}

Value nonzero(Call& call) {
  const Numbers a = packed(call.array(0, "a", "input"));
  const Shape strides = strides_of(a.shape);
  std::vector<int64_t> hits;
  for (int64_t i = 0; i < a.count(); ++i)
    if (a.data()[i] != 0) hits.push_back(i);
  const auto count = static_cast<int64_t>(hits.size());
  const Numbers all = new_numbers({a.rank(), count}, {a.budget(), NumberType::kInt64, a.torch});
  for (size_t axis = 0; axis < strides.size(); ++axis)
    for (int64_t i = 0; i < count; ++i)
      all.data()[static_cast<int64_t>(axis) * count + i] =
          static_cast<double>(hits[static_cast<size_t>(i)] / strides[axis] % a.shape[axis]);
  if (call.torch && !call.flag(1, "as_tuple", false)) return of(copied(permuted(all, {1, 0})));
  Values rows;
  for (const Value& row : elements_of(of(all))) rows.push_back(row);
  return tuple_of(std::move(rows));
}

Value flat_nonzero(Call& call) {
  call.positional[0] = of(reshaped(call.array(0, "a"), {-1}));
  return elements_of(nonzero(call))[0];
}

Value search_sorted(Call& call) {
  const Numbers sorted = packed(call.array(0, "a", "sorted_sequence"));
  const Value* side = call.find(2, "side");
  const bool right = (side && string_of(*side) == "right") || call.flag(SIZE_MAX, "right", false);
  const double* const begin = sorted.data();
  const double* const end = begin + sorted.count();
  return of(mapped(call.array(1, "v", "input"), NumberType::kInt64, [=](double x) {
    return static_cast<double>((right ? std::upper_bound(begin, end, x) : std::lower_bound(begin, end, x)) -
                               begin);
  }));
}

Value bincount(Call& call) {
  const Numbers a = packed(call.array(0, "x", "input"));
  double most = -1;
  for (int64_t i = 0; i < a.count(); ++i) most = std::max(most, a.data()[i]);
  const Value* least = call.find(2, "minlength");
  const int64_t bins = std::max(static_cast<int64_t>(most) + 1, least ? integer_of(*least) : 0);
  const Numbers result = filled({bins}, {a.budget(), NumberType::kInt64, a.torch}, 0);
  for (int64_t i = 0; i < a.count(); ++i) {
    if (a.data()[i] < 0 || is_floating(a.type)) throw Failure("bincount of what is no count");
    result.data()[static_cast<int64_t>(a.data()[i])] += 1;
  }
  return of(result);
}

Value array_equal(Call& call) {
  const Numbers a = call.array(0, "a1", "input"), b = call.array(1, "a2", "other");
  if (a.shape != b.shape) return of(false);
  const Value same =
      of(combined(a, b, NumberType::kBool, [](double x, double y) { return x == y ? 1.0 : 0.0; }));
  Call all{call.machine, "all", call.torch, {same}, {}};
  return of(truth(find_function("numpy.all")(all)));
}

}  // namespace

void add_order_functions(FunctionTable& table) {
  table.insert({{"sort", sort},
                {"argsort", argsort},
                {"topk", topk},
                {"unique", unique},
                {"nonzero", nonzero},
                {"flatnonzero", flat_nonzero},
                {"searchsorted", search_sorted},
                {"bincount", bincount},
                {"array_equal", array_equal}});
}

}  // namespace cuset::script
