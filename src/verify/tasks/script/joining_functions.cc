// Several arrays in one, and one in several: concatenate, stack, split, outer.
#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

std::vector<Numbers> arrays_of(const Call& call) {
  std::vector<Numbers> arrays;
  for (const Value& each : elements_of(call.need(0, "arrays", "tensors")))
    arrays.push_back(array_of(each, call.likeness(call.default_float()), std::nullopt));
  if (arrays.empty()) throw Failure("{} of no arrays", call.name);
  return arrays;
}

Numbers joined(const std::vector<Numbers>& arrays, int64_t given_axis, std::optional<NumberType> type) {
  const Numbers& first = arrays[0];
  const auto axis = static_cast<size_t>(axis_of(given_axis, first.rank()));
  Shape shape = first.shape;
  shape[axis] = 0;
  Operand operand{first.type, 2, first.torch};
  for (const Numbers& each : arrays) {
    Shape same = each.shape;
    if (same.size() == shape.size()) same[axis] = first.shape[axis];
    if (same != first.shape)
      throw Failure("arrays of shapes {} and {} side by side", text_of(first.shape), text_of(each.shape));
    shape[axis] += each.shape[axis];
    operand.type = result_type(operand, {each.type, 2, each.torch});
  }
  const Numbers result = new_numbers(shape, {first.budget(), type.value_or(operand.type), first.torch});
  Numbers part = result;
  for (const Numbers& each : arrays) {
    part.shape[axis] = each.shape[axis];
    assign(part, each);
    part.offset += each.shape[axis] * part.strides[axis];
  }
  return result;
}

int64_t axis_option(const Call& call) {
  const Value* given = call.find(1, "axis", "dim");
  return given ? integer_of(*given) : 0;
}

Value concatenate(Call& call) { return of(joined(arrays_of(call), axis_option(call), call.dtype())); }

Value stack(Call& call) {
  std::vector<Numbers> arrays = arrays_of(call);
  const int64_t axis = axis_of(axis_option(call), arrays[0].rank() + 1);
  for (Numbers& each : arrays) {
    if (each.rank() < axis) throw Failure("stack of arrays of different shapes");
    each.shape.insert(each.shape.begin() + axis, 1);
    each.strides.insert(each.strides.begin() + axis, 0);
  }
  return of(joined(arrays, axis, call.dtype()));
}

Value stack_rows(Call& call) {
  std::vector<Numbers> arrays = arrays_of(call);
  for (Numbers& each : arrays)
    if (each.rank() < 2) each = reshaped(each, {1, each.count()});
  return of(joined(arrays, 0, std::nullopt));
}

Value stack_columns(Call& call) {
  std::vector<Numbers> arrays = arrays_of(call);
  const bool columns = call.name.find("column") != std::string_view::npos;
  for (Numbers& each : arrays)
    if (each.rank() < 2) each = columns ? reshaped(each, {each.count(), 1}) : reshaped(each, {each.count()});
  return of(joined(arrays, arrays[0].rank() < 2 ? 0 : 1, std::nullopt));
}

// numpy splits into so many parts, PyTorch into parts of that size; chunk is the former.
Value split(Call& call) {
  const Numbers a = call.array(0, "ary", "tensor");
  const int64_t number = integer_of(call.need(1, "indices_or_sections", "split_size"));
  const Value* given = call.find(2, "axis", "dim");
  const auto axis = static_cast<size_t>(axis_of(given ? integer_of(*given) : 0, a.rank()));
  const int64_t side = a.shape[axis];
  if (number <= 0) throw Failure("a split into {}", number);
  const bool by_size = call.torch && call.name.find("chunk") == std::string_view::npos;
  const int64_t size = by_size ? number : (side + number - 1) / number;
  Values parts;
  for (int64_t begin = 0; begin < side; begin += size) {
    Numbers part = a;
    part.offset += begin * a.strides[axis];
    part.shape[axis] = std::min(size, side - begin);
    parts.push_back(of(part));
    if (parts.size() > 65536) throw Failure("a split into too many parts");
  }
  return tuple_of(std::move(parts));
}

Value outer(Call& call) {
  const Numbers a = reshaped(call.array(0, "a", "input"), {-1, 1}),
                b = reshaped(call.array(1, "b", "vec2"), {1, -1});
  return binary(Operator::kMultiply, of(a), of(b), call.machine.budget);
}

}  // namespace

void add_joining_functions(FunctionTable& table) {
  table.insert({{"concatenate", concatenate},
                {"cat", concatenate},
                {"stack", stack},
                {"vstack", stack_rows},
                {"hstack", stack_columns},
                {"column_stack", stack_columns},
                {"split", split},
                {"array_split", split},
                {"chunk", split},
                {"outer", outer}});
}

}  // namespace cuset::script
