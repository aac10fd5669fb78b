// Arrays from nothing: zeros, arange, linspace, array, eye, windows.
#include <algorithm>
#include <cmath>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {
namespace {

constexpr double kPi = 3.14159265358979323846;

// numpy's zeros((2, 3), np.float32) has the type second; PyTorch's zeros(2, 3) has more sides there.
Numbers constant(const Call& call, double value) {
  if (call.torch)
    return filled(call.shape(0), call.likeness(call.dtype().value_or(call.default_float())), value);
  return filled(shape_of(call.need(0, "shape")), call.likeness(call.dtype(1).value_or(call.default_float())),
                value);
}

Value zeros(Call& call) { return of(constant(call, 0)); }
Value ones(Call& call) { return of(constant(call, 1)); }

Value full(Call& call) {
  const Shape shape = shape_of(call.need(0, "shape", "size"));
  const Value& value = call.need(1, "fill_value");
  const Numbers fill = array_of(value, call.likeness(call.default_float()), call.dtype(2));
  Numbers result = new_numbers(shape, {call.machine.budget, fill.type, call.torch});
  assign(result, fill);
  return of(result);
}

Numbers constant_like(const Call& call, double value) {
  const Numbers model = call.array(0, "a", "input");
  return filled(model.shape, {model.budget(), call.dtype(1).value_or(model.type), model.torch}, value);
}

Value zeros_like(Call& call) { return of(constant_like(call, 0)); }
Value ones_like(Call& call) { return of(constant_like(call, 1)); }
Value full_like(Call& call) {
  const Numbers model = call.array(0, "a", "input");
  return of(filled(model.shape, {model.budget(), call.dtype(2).value_or(model.type), model.torch},
                   number_of(call.need(1, "fill_value"))));
}

Value new_zeros(Call& call) {
  const Numbers model = call.array(0, "self");
  return of(filled(call.shape(1), {model.budget(), call.dtype().value_or(model.type), model.torch}, 0));
}

Value array(Call& call) {
  const Value& given = call.need(0, "object", "data");
  if (const Numbers* numbers = given.array()) {
    Numbers result = converted(*numbers, call.dtype(1).value_or(numbers->type));
    result.torch = call.torch;
    return of(result);
  }
  return of(array_of(given, call.likeness(call.default_float()), call.dtype(1)));
}

// Without a copy where the type stays.
Value as_array(Call& call) {
  Numbers result = array_of(call.need(0, "a", "data"), call.likeness(call.default_float()), call.dtype(1));
  result.torch = call.torch;
  return of(call.name.find("contiguous") != std::string_view::npos ? packed(result) : result);
}

Value from_numpy(Call& call) {
  Numbers result = call.array(0, "ndarray");
  result.torch = true;
  return of(result);
}

Value arange(Call& call) {
  const bool one = !call.find(1, "stop", "end");
  const Value zero = of(int64_t{0}), unit = of(int64_t{1});
  const Value& first = one ? zero : call.need(0, "start");
  const Value& last = one ? call.need(0, "stop", "end") : call.need(1, "stop", "end");
  const Value* given_step = call.find(2, "step");
  const Value& step = given_step ? *given_step : unit;
  const bool whole = !first.is<double>() && !last.is<double>() && !step.is<double>();
  const double start = number_of(first), by = number_of(step);
  const double count = std::ceil((number_of(last) - start) / by);
  if (!(std::abs(count) < 0x1p40)) throw Failure("arange with {} numbers", count);
  const NumberType type = call.dtype(3).value_or(whole ? NumberType::kInt64 : call.default_float());
  const Numbers result = new_numbers({static_cast<int64_t>(std::max(count, 0.0))}, call.likeness(type));
  for (int64_t i = 0; i < result.count(); ++i) result.data()[i] = start + static_cast<double>(i) * by;
  round_to(type, {result.data(), static_cast<size_t>(result.count())});
  return of(result);
}

Numbers spaced(const Call& call) {
  const double start = number_of(call.need(0, "start")), stop = number_of(call.need(1, "stop", "end"));
  const Value* steps = call.find(2, "num", "steps");
  const int64_t count = steps ? integer_of(*steps) : 50;
  const bool to_end = call.flag(3, "endpoint", true);
  const Numbers result = new_numbers({count}, call.likeness(NumberType::kFloat64));
  const double gaps = static_cast<double>(std::max<int64_t>(to_end ? count - 1 : count, 1));
  const double step = (stop - start) / gaps;
  for (int64_t i = 0; i < count; ++i) {
    // Both libraries make the last number exact; PyTorch counts the second half from the end.
    const bool from_end = to_end && (call.torch ? i >= count / 2 : i == count - 1) && count > 1;
    result.data()[i] =
        from_end ? stop - step * static_cast<double>(count - 1 - i) : start + step * static_cast<double>(i);
  }
  return result;
}

Value linspace(Call& call) {
  return of(converted(spaced(call), call.dtype().value_or(call.default_float())));
}

Value logspace(Call& call) {
  const NumberType type = call.dtype().value_or(call.default_float());
  const double base = call.number(SIZE_MAX, "base", 10);
  return of(mapped(spaced(call), type, [=](double x) { return std::pow(base, x); }));
}

Value eye(Call& call) {
  const int64_t rows = integer_of(call.need(0, "n", "N"));
  const bool second = call.positional.size() > 1 && call.positional[1].is<int64_t>();
  const int64_t columns = second ? integer_of(call.positional[1]) : rows;
  const Numbers result =
      filled({rows, columns}, call.likeness(call.dtype().value_or(call.default_float())), 0);
  for (int64_t i = 0; i < std::min(rows, columns); ++i) result.data()[i * columns + i] = 1;
  return of(result);
}

Value diag(Call& call) {
  const Numbers a = packed(call.array(0, "v", "input"));
  if (a.rank() == 1) {
    const Numbers result = filled({a.count(), a.count()}, like(a), 0);
    for (int64_t i = 0; i < a.count(); ++i) result.data()[i * a.count() + i] = a.data()[i];
    return of(result);
  }
  if (a.rank() != 2) throw Failure("diag of an array of shape {}", text_of(a.shape));
  const Numbers result = new_numbers({std::min(a.shape[0], a.shape[1])}, like(a));
  for (int64_t i = 0; i < result.count(); ++i) result.data()[i] = a.data()[i * a.shape[1] + i];
  return of(result);
}

// Keeps the part of each matrix where keep(column - row).
template <typename Keep>
Value triangle(const Call& call, const Keep& keep) {
  const Numbers result = copied(call.array(0, "m", "input"));
  if (result.rank() < 2) throw Failure("a triangle of an array of shape {}", text_of(result.shape));
  const int64_t columns = result.shape.back(), rows = result.shape.rbegin()[1];
  for (int64_t i = 0; i < result.count(); ++i)
    if (!keep(i % columns - i / columns % rows)) result.data()[i] = 0;
  return of(result);
}

Value tril(Call& call) {
  const int64_t k = call.find(1, "k", "diagonal") ? integer_of(*call.find(1, "k", "diagonal")) : 0;
  return triangle(call, [=](int64_t offset) { return offset <= k; });
}
Value triu(Call& call) {
  const int64_t k = call.find(1, "k", "diagonal") ? integer_of(*call.find(1, "k", "diagonal")) : 0;
  return triangle(call, [=](int64_t offset) { return offset >= k; });
}

// numpy's windows are symmetric; PyTorch's are periodic unless told otherwise.
template <typename Shape1>
Value window(const Call& call, const Shape1& f) {
  const int64_t count = integer_of(call.need(0, "M", "window_length"));
  const bool periodic = call.torch && call.flag(1, "periodic", true);
  const Numbers result = new_numbers({count}, call.likeness(call.dtype().value_or(call.default_float())));
  const double gaps = static_cast<double>(std::max<int64_t>(periodic ? count : count - 1, 1));
  for (int64_t i = 0; i < count; ++i)
    result.data()[i] = count == 1 ? 1 : f(2 * kPi * static_cast<double>(i) / gaps);
  round_to(result.type, {result.data(), static_cast<size_t>(count)});
  return of(result);
}

Value hamming(Call& call) {
  return window(call, [](double x) { return 0.54 - 0.46 * std::cos(x); });
}
Value hanning(Call& call) {
  return window(call, [](double x) { return 0.5 - 0.5 * std::cos(x); });
}
Value blackman(Call& call) {
  return window(call, [](double x) { return 0.42 - 0.5 * std::cos(x) + 0.08 * std::cos(2 * x); });
}

Value one_hot(Call& call) {
  const Numbers labels = packed(call.array(0, "tensor"));
  const int64_t classes = integer_of(call.need(1, "num_classes"));
  Shape shape = labels.shape;
  shape.push_back(classes);
  const Numbers result = filled(shape, {labels.budget(), NumberType::kInt64, labels.torch}, 0);
  for (int64_t i = 0; i < labels.count(); ++i)
    result.data()[i * classes + place_of(static_cast<int64_t>(labels.data()[i]), classes)] = 1;
  return of(result);
}

Value meshgrid(Call& call) {
  Values vectors = call.positional;
  if (vectors.size() == 1 && vectors[0].items()) vectors = *Value(vectors[0]).items();
  const Value* indexing = call.find(SIZE_MAX, "indexing");
  const bool swap = (indexing ? string_of(*indexing) == "xy" : !call.torch) && vectors.size() > 1;
  Shape shape;
  std::vector<Numbers> axes;
  for (const Value& vector : vectors) {
    axes.push_back(array_of(vector, call.likeness(call.default_float()), std::nullopt));
    shape.push_back(axes.back().count());
  }
  if (swap) std::swap(shape[0], shape[1]);
  Values grids;
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t own = swap && i < 2 ? 1 - i : i;
    Shape narrow(shape.size(), 1);
    narrow[own] = shape[own];
    grids.push_back(of(copied(broadcast_to(reshaped(axes[i], narrow), shape))));
  }
  return list_of(std::move(grids));
}

}  // namespace

void add_creation_functions(FunctionTable& table) {
  table.insert({{"zeros", zeros},
                {"empty", zeros},
                {"ones", ones},
                {"full", full},
                {"zeros_like", zeros_like},
                {"empty_like", zeros_like},
                {"ones_like", ones_like},
                {"full_like", full_like},
                {"new_zeros", new_zeros},
                {"new_empty", new_zeros},
                {"array", array},
                {"tensor", array},
                {"asarray", as_array},
                {"as_tensor", as_array},
                {"ascontiguousarray", as_array},
                {"from_numpy", from_numpy},
                {"arange", arange},
                {"linspace", linspace},
                {"logspace", logspace},
                {"eye", eye},
                {"identity", eye},
                {"diag", diag},
                {"tril", tril},
                {"triu", triu},
                {"hamming", hamming},
                {"hamming_window", hamming},
                {"hanning", hanning},
                {"hann_window", hanning},
                {"blackman", blackman},
                {"blackman_window", blackman},
                {"one_hot", one_hot},
                {"meshgrid", meshgrid}});
}

}  // namespace cuset::script
