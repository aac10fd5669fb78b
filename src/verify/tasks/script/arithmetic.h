// Operators on values, with numpy's and PyTorch's rules for the type of the result.
//
// A Python number never changes an array's type within its kind (float32 * 0.5 stays float32), and neither
// does an array without axes. A float with whole numbers gives float64 in numpy, float32 in PyTorch.
#pragma once

#include <optional>

#include "verify/tasks/script/numbers.h"
#include "verify/tasks/script/value.h"

namespace cuset::script {

// What a value brings into the choice of a type: 0 a Python number, 1 an array without axes, 2 an array.
struct Operand {
  NumberType type = NumberType::kFloat64;
  int level = 2;
  bool torch = false;
};
Operand operand_of(const Value& value);
NumberType result_type(const Operand& a, const Operand& b);
// The float that a function such as sqrt makes of whole numbers; floats stay as they are.
NumberType float_type(NumberType type, bool torch);

// Numbers, nested lists and arrays as one array. Without `type`, the type is what numpy or PyTorch would
// take. Throws Failure for ragged lists and what is no number.
Numbers array_of(const Value& value, const Likeness& likeness, std::optional<NumberType> type);

// `budget` is where arrays come from if neither operand is one.
Value binary(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget);
Value unary(Operator operation, const Value& value);
Value compare(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget);
// a operation= b into the array or list a itself; false where a cannot change.
bool in_place(Operator operation, const Value& a, const Value& b, const std::shared_ptr<Budget>& budget);

}  // namespace cuset::script
