// Subscripts of arrays: whole numbers, slices, ..., None (views), masks and arrays of indices (copies).
#pragma once

#include "verify/tasks/script/numbers.h"
#include "verify/tasks/script/value.h"

namespace cuset::script {

// numbers[index]: a Scalar where one number is meant, else a view, or a copy for masks and index arrays.
Value item_of(const Numbers& numbers, const Value& index);
Value item_of(const Numbers& numbers, int64_t index);

// numbers[index] = value, rounded to the array's type.
void set_item(const Numbers& numbers, const Value& index, const Value& value);

// First index, count and step of a slice over `length` items.
struct Span {
  int64_t start = 0;
  int64_t count = 0;
  int64_t step = 1;
};
Span span_of(const Slice& slice, int64_t length);

// 0 .. length-1 of an index that may count from the end.
int64_t place_of(int64_t index, int64_t length);

}  // namespace cuset::script
