#include "verify/tasks/script/indexing.h"

#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

// An index array with the axis of the remaining view that it runs over.
struct Pick {
  int64_t axis = 0;
  Numbers indices;
};

// What an index means: a view, and index arrays over some of its axes.
struct Selection {
  Numbers view;
  std::vector<Pick> picks;
  bool apart = false;  // other parts stand between the index arrays: the picked axes come first
};

bool is_index_array(const Value& part) { return part.array() != nullptr || part.is<std::shared_ptr<List>>(); }

size_t axes_taken(const Values& parts) {
  size_t taken = 0;
  for (const Value& part : parts) {
    if (part.is_none() || part.is<EllipsisMark>()) continue;
    const Numbers* mask = part.array();
    taken += mask && mask->type == NumberType::kBool ? mask->shape.size() : 1;
  }
  return taken;
}

// One array of indices for each axis of the mask.
std::vector<Numbers> indices_of_mask(const Numbers& mask) {
  const Numbers flat = packed(mask);
  const int64_t total = flat.count();
  const int64_t hits = std::count_if(flat.data(), flat.data() + total, [](double x) { return x != 0; });
  std::vector<Numbers> result;
  for (int64_t i = 0; i < mask.rank(); ++i)
    result.push_back(new_numbers({hits}, {mask.budget(), NumberType::kInt64, mask.torch}));
  const Shape strides = strides_of(mask.shape);
  for (int64_t at = 0, hit = 0; at < total; ++at) {
    if (flat.data()[at] == 0) continue;
    for (size_t axis = 0; axis < result.size(); ++axis)
      result[axis].data()[hit] = static_cast<double>(at / strides[axis] % mask.shape[axis]);
    ++hit;
  }
  return result;
}

class Selector {
 public:
  Selector(const Numbers& numbers, const Value& index) : numbers_(numbers) {
    selection_.view = numbers;
    selection_.view.shape.clear();
    selection_.view.strides.clear();
    if (const auto* tuple = index.as<std::shared_ptr<Tuple>>())
      parts_ = (*tuple)->items;
    else
      parts_ = {index};
  }

  Selection run() {
    const size_t taken = axes_taken(parts_);
    if (taken > numbers_.shape.size())
      throw Failure("{} indices into an array of shape {}", taken, text_of(numbers_.shape));
    bool spread = false;
    for (const Value& part : parts_) {
      if (!part.is<EllipsisMark>()) {
        add(part);
        continue;
      }
      if (spread) throw Failure("two ... in one index");
      spread = true;
      for (size_t left = numbers_.shape.size() - taken; left > 0; --left) keep_axis();
    }
    while (axis_ < numbers_.shape.size()) keep_axis();
    return std::move(selection_);
  }

 private:
  void push(int64_t side, int64_t stride) {
    selection_.view.shape.push_back(side);
    selection_.view.strides.push_back(stride);
  }

  void keep_axis() {
    push(numbers_.shape[axis_], numbers_.strides[axis_]);
    ++axis_;
    if (!selection_.picks.empty()) gap_ = true;
  }

  void add(const Value& part) {
    if (part.is_none()) {
      push(1, 0);
      gap_ = gap_ || !selection_.picks.empty();
    } else if (const auto* slice = part.as<std::shared_ptr<Slice>>()) {
      const Span span = span_of(**slice, numbers_.shape[axis_]);
      selection_.view.offset += span.start * numbers_.strides[axis_];
      push(span.count, span.step * numbers_.strides[axis_]);
      ++axis_;
      gap_ = gap_ || !selection_.picks.empty();
    } else if (is_index_array(part) && !(part.array() && part.array()->rank() == 0)) {
      add_array(part);
    } else {
      selection_.view.offset += place_of(integer_of(part), numbers_.shape[axis_]) * numbers_.strides[axis_];
      ++axis_;
    }
  }

  void add_array(const Value& part) {
    selection_.apart = selection_.apart || gap_;
    const Numbers indices = part.array() ? *part.array() : array_of(part, like(numbers_), std::nullopt);
    if (indices.type == NumberType::kBool) {
      for (size_t i = 0; i < indices.shape.size(); ++i)
        if (indices.shape[i] != numbers_.shape[axis_ + i])
          throw Failure("a mask of shape {} for an array of shape {}", text_of(indices.shape),
                        text_of(numbers_.shape));
      for (Numbers& each : indices_of_mask(indices)) add_pick(std::move(each));
    } else if (is_floating(indices.type) && indices.count() > 0) {
      throw Failure("an array of {} as an index", name_of(indices.type));
    } else {
      add_pick(indices);
    }
  }

  void add_pick(Numbers indices) {
    selection_.picks.push_back({static_cast<int64_t>(selection_.view.shape.size()), std::move(indices)});
    push(numbers_.shape[axis_], numbers_.strides[axis_]);
    ++axis_;
  }

  const Numbers& numbers_;
  Values parts_;
  Selection selection_;
  size_t axis_ = 0;
  bool gap_ = false;
};

// The picked places as offsets, in the shape of the index arrays together.
struct Places {
  Shape shape;
  std::vector<int64_t> offsets;
};

Places places_of(const Selection& selection) {
  Places places;
  for (const Pick& pick : selection.picks) places.shape = broadcast_shape(places.shape, pick.indices.shape);
  const int64_t total = product(places.shape);
  selection.view.budget()->take(0);
  places.offsets.assign(static_cast<size_t>(total), 0);
  for (const Pick& pick : selection.picks) {
    const Numbers wide = packed(broadcast_to(pick.indices, places.shape));
    const auto axis = static_cast<size_t>(pick.axis);
    for (int64_t i = 0; i < total; ++i)
      places.offsets[static_cast<size_t>(i)] +=
          place_of(static_cast<int64_t>(wide.data()[i]), selection.view.shape[axis]) *
          selection.view.strides[axis];
  }
  return places;
}

// Calls piece(view, result shape part) so that view[k] of every picked place goes beside the same part of
// `all`, a contiguous array in the shape of the result.
template <typename Copy>
void for_each_place(const Selection& selection, const Places& places, const Numbers& all, size_t before,
                    const Copy& copy) {
  Numbers rest = selection.view;
  for (size_t i = selection.picks.size(); i-- > 0;) {
    rest.shape.erase(rest.shape.begin() + selection.picks[i].axis);
    rest.strides.erase(rest.strides.begin() + selection.picks[i].axis);
  }
  Numbers part = all;  // the result without the picked axes
  const size_t picked = places.shape.size();
  part.shape.erase(part.shape.begin() + static_cast<int64_t>(before),
                   part.shape.begin() + static_cast<int64_t>(before + picked));
  part.strides.erase(part.strides.begin() + static_cast<int64_t>(before),
                     part.strides.begin() + static_cast<int64_t>(before + picked));
  const Shape place_strides = strides_of(places.shape);
  for (size_t i = 0; i < places.offsets.size(); ++i) {
    rest.offset = selection.view.offset + places.offsets[i];
    part.offset = all.offset;
    for (size_t axis = 0; axis < picked; ++axis)
      part.offset +=
          static_cast<int64_t>(i) / place_strides[axis] % places.shape[axis] * all.strides[before + axis];
    copy(rest, part);
  }
}

void copy_numbers(const Numbers& to, const Numbers& from) {
  if (to.shape.empty()) {
    *to.data() = *from.data();
    return;
  }
  double* const target = to.buffer->data();
  const double* const source = from.buffer->data();
  for_each_row<2>({&to, &from}, [&](const auto& offsets, int64_t count, const auto& steps) {
    for (int64_t i = 0; i < count; ++i) target[offsets[0] + i * steps[0]] = source[offsets[1] + i * steps[1]];
  });
}

size_t axes_before(const Selection& selection) {
  return selection.apart ? 0 : static_cast<size_t>(selection.picks[0].axis);
}

Shape picked_shape(const Selection& selection, const Places& places) {
  Shape shape = selection.view.shape;
  for (size_t i = selection.picks.size(); i-- > 0;) shape.erase(shape.begin() + selection.picks[i].axis);
  shape.insert(shape.begin() + static_cast<int64_t>(axes_before(selection)), places.shape.begin(),
               places.shape.end());
  return shape;
}

Value as_value(const Numbers& view) {
  if (!view.shape.empty()) return of(view);
  return {Scalar{*view.data(), view.type, view.torch}};
}

// The place of a[i, j] in the buffer where all indices are plain whole numbers: the case of inner loops.
std::optional<int64_t> plain_place(const Numbers& numbers, const Value& index) {
  const auto* tuple = index.as<std::shared_ptr<Tuple>>();
  if (!tuple) {
    const auto* at = index.as<int64_t>();
    if (!at || numbers.rank() != 1) return std::nullopt;
    return numbers.offset + place_of(*at, numbers.shape[0]) * numbers.strides[0];
  }
  const Values& parts = (*tuple)->items;
  if (parts.size() != numbers.shape.size()) return std::nullopt;
  int64_t place = numbers.offset;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto* at = parts[i].as<int64_t>();
    if (!at) return std::nullopt;
    place += place_of(*at, numbers.shape[i]) * numbers.strides[i];
  }
  return place;
}

}  // namespace

int64_t place_of(int64_t index, int64_t length) {
  const int64_t place = index < 0 ? index + length : index;
  if (place < 0 || place >= length) throw Failure("index {} is out of bounds for {} items", index, length);
  return place;
}

Span span_of(const Slice& slice, int64_t length) {
  const int64_t given = slice.step.is_none() ? 1 : integer_of(slice.step);
  if (given == 0) throw Failure("a slice with step 0");
  const int64_t step = std::clamp(given, -length - 1, length + 1);  // a longer step takes no other items
  const auto bound = [&](const Value& value, int64_t otherwise) {
    if (value.is_none()) return otherwise;
    const int64_t place = integer_of(value);
    const int64_t counted = place < 0 ? place + length : place;
    return std::clamp<int64_t>(counted, step > 0 ? 0 : -1, step > 0 ? length : length - 1);
  };
  Span span{.start = bound(slice.start, step > 0 ? 0 : length - 1), .count = 0, .step = step};
  const int64_t stop = bound(slice.stop, step > 0 ? length : -1);
  span.count = Range{span.start, stop, step}.count();
  if (span.count == 0) span.start = 0;
  return span;
}

Value item_of(const Numbers& numbers, int64_t index) { return item_of(numbers, of(index)); }

Value item_of(const Numbers& numbers, const Value& index) {
  if (const auto place = plain_place(numbers, index))
    return {Scalar{numbers.buffer->data()[*place], numbers.type, numbers.torch}};
  const Selection selection = Selector(numbers, index).run();
  if (selection.picks.empty()) return as_value(selection.view);
  const Places places = places_of(selection);
  const Numbers result = new_numbers(picked_shape(selection, places), like(numbers));
  for_each_place(selection, places, result, axes_before(selection),
                 [](const Numbers& view, const Numbers& part) { copy_numbers(part, view); });
  return of(result);
}

void set_item(const Numbers& numbers, const Value& index, const Value& value) {
  if (value.is_number() && !is_constant(numbers)) {
    if (const auto place = plain_place(numbers, index)) {
      numbers.buffer->data()[*place] = rounded_to(numbers.type, number_of(value));
      return;
    }
  }
  const Selection selection = Selector(numbers, index).run();
  const Numbers source = array_of(value, like(numbers), std::nullopt);
  if (selection.picks.empty()) return assign(selection.view, source);
  if (is_constant(numbers)) throw Failure("an array from a file is changed");
  const Places places = places_of(selection);
  const Numbers all = new_numbers(picked_shape(selection, places), like(numbers));
  assign(all, source);
  for_each_place(selection, places, all, axes_before(selection),
                 [](const Numbers& view, const Numbers& part) { copy_numbers(view, part); });
}

}  // namespace cuset::script
