// Views and rearrangements: reshape, transpose, flip, roll, repeat, pad.
#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {
namespace {

Numbers self(const Call& call) { return call.array(0, "a", "input"); }

Value reshape(Call& call) {
  // x.view(torch.int32) looks at the bytes anew.
  if (call.positional.size() > 1 && type_named_by(call.positional[1]))
    throw Failure("a view as another type");
  return of(reshaped(self(call), call.shape(1)));
}

Value ravel(Call& call) { return of(reshaped(self(call), {-1})); }

Value flatten_axes(Call& call) {
  const Numbers a = self(call);
  if (!call.torch) return of(copied(reshaped(a, {-1})));
  if (a.rank() == 0) return of(reshaped(a, {1}));
  const int64_t first = axis_of(call.integer(1, "start_dim", 0), a.rank());
  const int64_t last = axis_of(call.integer(2, "end_dim", -1), a.rank());
  Shape shape(a.shape.begin(), a.shape.begin() + first);
  shape.push_back(product({a.shape.begin() + first, a.shape.begin() + std::max(first, last) + 1}));
  shape.insert(shape.end(), a.shape.begin() + std::max(first, last) + 1, a.shape.end());
  return of(reshaped(a, shape));
}

Value swap_axes(Call& call) {
  const Numbers a = self(call);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < a.rank(); ++i) order.push_back(i);
  const int64_t first = axis_of(integer_of(call.need(1, "dim0", "axis1")), a.rank());
  const int64_t second = axis_of(integer_of(call.need(2, "dim1", "axis2")), a.rank());
  std::swap(order[static_cast<size_t>(first)], order[static_cast<size_t>(second)]);
  return of(permuted(a, order));
}

Value permute(Call& call) { return of(permuted(self(call), call.shape(1))); }

// PyTorch's transpose exchanges two axes, numpy's orders all of them (reversed without an argument).
Value transpose(Call& call) {
  const Numbers a = self(call);
  if (call.torch && call.positional.size() == 3) return swap_axes(call);
  if (call.find(1, "axes"))
    return of(permuted(a, call.find(SIZE_MAX, "axes") ? shape_of(call.need(1, "axes")) : call.shape(1)));
  return array_transposed(a);
}

Value move_axis(Call& call) {
  const Numbers a = self(call);
  const int64_t from = axis_of(integer_of(call.need(1, "source")), a.rank());
  const int64_t to = axis_of(integer_of(call.need(2, "destination")), a.rank());
  std::vector<int64_t> order;
  for (int64_t i = 0; i < a.rank(); ++i)
    if (i != from) order.push_back(i);
  order.insert(order.begin() + to, from);
  return of(permuted(a, order));
}

Value squeeze(Call& call) {
  Numbers a = self(call);
  const std::vector<int64_t> axes = call.axes(1, a.rank());
  for (int64_t i = a.rank(); i-- > 0;) {
    const bool wanted = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!wanted || a.shape[static_cast<size_t>(i)] != 1) continue;
    a.shape.erase(a.shape.begin() + i);
    a.strides.erase(a.strides.begin() + i);
  }
  return of(a);
}

Value unsqueeze(Call& call) {
  Numbers a = self(call);
  const int64_t axis = axis_of(integer_of(call.need(1, "dim", "axis")), a.rank() + 1);
  a.shape.insert(a.shape.begin() + axis, 1);
  a.strides.insert(a.strides.begin() + axis, 0);
  return of(a);
}

// -1 keeps a side.
Value expand(Call& call) {
  const Numbers a = self(call);
  Shape shape = call.shape(1);
  const size_t missing = shape.size() - std::min(shape.size(), a.shape.size());
  for (size_t i = missing; i < shape.size(); ++i)
    if (shape[i] == -1) shape[i] = a.shape[i - missing];
  return of(broadcast_to(a, shape));
}

Value expand_as(Call& call) { return of(broadcast_to(self(call), call.array(1, "other").shape)); }

Numbers flipped(Numbers a, const std::vector<int64_t>& axes) {
  for (const int64_t axis : axes) {
    const auto i = static_cast<size_t>(axis);
    if (a.shape[i] > 0) a.offset += a.strides[i] * (a.shape[i] - 1);
    a.strides[i] = -a.strides[i];
  }
  return a;
}

Value flip(Call& call) {
  const Numbers a = self(call);
  std::vector<int64_t> axes;
  if (call.positional.size() > 2)
    for (const int64_t axis : call.shape(1)) axes.push_back(axis_of(axis, a.rank()));
  else if (const Value* dims = call.find(SIZE_MAX, "dims"))
    for (const int64_t axis : shape_of(*dims)) axes.push_back(axis_of(axis, a.rank()));
  else
    axes = call.axes(1, a.rank());
  return of(call.torch ? copied(flipped(a, axes)) : flipped(a, axes));
}
Value flip_rows(Call& call) { return of(flipped(self(call), {0})); }
Value flip_columns(Call& call) { return of(flipped(self(call), {axis_of(1, self(call).rank())})); }

Numbers part_of(const Numbers& a, size_t axis, int64_t start, int64_t count) {
  Numbers part = a;
  part.offset += start * a.strides[axis];
  part.shape[axis] = count;
  return part;
}

Numbers rolled(const Numbers& a, int64_t by, size_t axis) {
  const int64_t side = a.shape[axis];
  if (side == 0) return a;
  const int64_t shift = ((by % side) + side) % side;
  const Numbers result = new_numbers(a.shape, like(a));
  assign(part_of(result, axis, shift, side - shift), part_of(a, axis, 0, side - shift));
  assign(part_of(result, axis, 0, shift), part_of(a, axis, side - shift, shift));
  return result;
}

Value roll(Call& call) {
  Numbers a = self(call);
  const Shape shifts = shape_of(call.need(1, "shift", "shifts"));
  const Value* given = call.find(2, "axis", "dims");
  if (!given) return of(reshaped(rolled(reshaped(a, {-1}), shifts[0], 0), a.shape));
  const Shape axes = shape_of(*given);
  if (axes.size() != shifts.size())
    throw Failure("roll by {} shifts over {} axes", shifts.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    a = rolled(a, shifts[i], static_cast<size_t>(axis_of(axes[i], a.rank())));
  return of(a);
}

Numbers tiled(Numbers a, Shape times) {
  const auto rank = std::max(times.size(), a.shape.size());
  times.insert(times.begin(), rank - times.size(), 1);
  Shape shape = a.shape;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  a = reshaped(a, shape);
  Shape spread, wide;
  for (size_t i = 0; i < rank; ++i) {
    spread.insert(spread.end(), {1, shape[i]});
    wide.insert(wide.end(), {times[i], shape[i]});
  }
  if (rank > 8) throw Failure("tile of {} axes", rank);
  product(wide);
  for (size_t i = 0; i < rank; ++i) shape[i] *= times[i];
  return reshaped(copied(broadcast_to(reshaped(a, spread), wide)), shape);
}

Value tile(Call& call) { return of(tiled(self(call), call.shape(1))); }

// numpy's repeat (PyTorch's repeat_interleave): each element several times in a row.
Value repeat_elements(Call& call) {
  if (call.torch && call.name.find("interleave") == std::string_view::npos) return tile(call);
  Numbers a = self(call);
  const int64_t times = integer_of(call.need(1, "repeats"));
  const Value* given = call.find(2, "axis", "dim");
  if (!given) a = reshaped(a, {-1});
  const auto axis = static_cast<size_t>(given ? axis_of(integer_of(*given), a.rank()) : 0);
  Shape narrow = a.shape, wide = a.shape, shape = a.shape;
  narrow.insert(narrow.begin() + static_cast<int64_t>(axis) + 1, 1);
  wide.insert(wide.begin() + static_cast<int64_t>(axis) + 1, times);
  product(wide);
  shape[axis] *= times;
  return of(reshaped(copied(broadcast_to(reshaped(a, narrow), wide)), shape));
}

// ((before, after), ...), (before, after) or one number for all sides, as numpy takes it.
Value pad(Call& call) {
  const Numbers a = self(call);
  if (call.torch) throw Failure("{} is not understood", call.name);
  const Value* mode = call.find(2, "mode");
  if (mode && string_of(*mode) != "constant") throw Failure("pad with mode {}", string_of(*mode));
  const Numbers widths =
      packed(converted(broadcast_to(call.array(1, "pad_width"), {a.rank(), 2}), NumberType::kInt64));
  Shape shape = a.shape;
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] += static_cast<int64_t>(widths.data()[2 * i]) + static_cast<int64_t>(widths.data()[2 * i + 1]);
  const Numbers result = filled(shape, like(a), call.number(SIZE_MAX, "constant_values", 0));
  Numbers inside = result;
  for (size_t i = 0; i < shape.size(); ++i)
    inside = part_of(inside, i, static_cast<int64_t>(widths.data()[2 * i]), a.shape[i]);
  assign(inside, a);
  return of(result);
}

Value broadcast(Call& call) { return of(broadcast_to(self(call), shape_of(call.need(1, "shape", "size")))); }

Value numel(Call& call) { return of(self(call).count()); }

}  // namespace

Value array_transposed(const Numbers& a) {
  std::vector<int64_t> axes;
  for (int64_t i = a.rank(); i-- > 0;) axes.push_back(i);
  return of(permuted(a, axes));
}

void add_shape_functions(FunctionTable& table) {
  table.insert({{"reshape", reshape},
                {"view", reshape},
                {"ravel", ravel},
                {"flatten", flatten_axes},
                {"transpose", transpose},
                {"t", transpose},
                {"permute", permute},
                {"swapaxes", swap_axes},
                {"moveaxis", move_axis},
                {"movedim", move_axis},
                {"squeeze", squeeze},
                {"unsqueeze", unsqueeze},
                {"expand_dims", unsqueeze},
                {"expand", expand},
                {"expand_as", expand_as},
                {"flip", flip},
                {"flipud", flip_rows},
                {"fliplr", flip_columns},
                {"roll", roll},
                {"tile", tile},
                {"repeat", repeat_elements},
                {"repeat_interleave", repeat_elements},
                {"pad", pad},
                {"broadcast_to", broadcast},
                {"numel", numel}});
}

}  // namespace cuset::script
