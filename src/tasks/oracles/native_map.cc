// "map": every number of an output is a formula of the inputs' numbers at its place. "loops": a formula of
// the place too, folded over further indices. And `then`, a map of what another oracle gave.
#include <numeric>
#include <optional>

#include "base/error.h"
#include "tasks/oracles/native_expression.h"
#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

constexpr int64_t kMostTerms = int64_t{1} << 27;  // of "loops": a gigabyte

Expression parsed(const base::JsonCursor& field, const std::vector<std::string>& names) {
  try {
    return Expression(field.string(), names);
  } catch (const base::Error& error) {
    field.refuse(fmt::format("{}: {}", base::in_quotes(field.string()), error.what()), error.remedy());
  }
}

// Only the inputs that the formula uses are widened. `extra` are the variables after the inputs.
void evaluate(const NativeCall& call, const Expression& expression, std::span<const Tensor> extra,
              Tensor& result) {
  const size_t inputs = call.task().inputs.size();
  std::vector<Tensor> tensors(inputs);
  std::vector<const Tensor*> variables(inputs);
  for (size_t i = 0; i < inputs; ++i) {
    if (!expression.uses(i)) continue;
    const Array& array = call.input(i);
    if (expression.uses_in_place(i) && !stretches_to(array.shape, result.shape)) {
      call.refuse(fmt::format("the input '{}' of shape {} does not stretch to {}", call.task().inputs[i].name,
                              text_of(array.shape), text_of(result.shape)));
    }
    tensors[i] = {array.shape, array.to_doubles()};
    variables[i] = &tensors[i];
  }
  for (const Tensor& tensor : extra) variables.push_back(&tensor);
  try {
    expression.evaluate(variables, result);
  } catch (const base::Error& error) {
    call.refuse(error.what());
  }
}

std::vector<std::string> input_names(const NativeCall& call) {
  std::vector<std::string> names;
  for (const TaskInput& input : call.task().inputs) names.push_back(input.name);
  return names;
}

// 0, 1, 2 ... along one axis of a shape.
Tensor indices_along(const Shape& shape, size_t axis) {
  Tensor indices{Shape(shape.size() - axis, 1), std::vector<double>(static_cast<size_t>(shape[axis]))};
  indices.shape[0] = shape[axis];
  std::iota(indices.values.begin(), indices.values.end(), 0.0);
  return indices;
}

}  // namespace

NativeResults loops_oracle(const NativeCall& call) {
  Tensor result = call.result(call.task().outputs[0].shape);
  const size_t axes = result.shape.size();
  Tensor terms{result.shape, {}};
  for (const base::JsonCursor& length : call.parameter("over").elements_or_none()) {
    terms.shape.push_back(length.integer(1, kMostTerms));
  }
  if (count_of(terms.shape) > kMostTerms) call.refuse("it has more than 2^27 terms");
  terms.values.resize(count_of(terms.shape));
  std::vector<std::string> names = input_names(call);
  std::vector<Tensor> indices;
  for (size_t axis = 0; axis < terms.shape.size(); ++axis) {
    names.push_back(axis < axes ? fmt::format("i{}", axis) : fmt::format("k{}", axis - axes));
    indices.push_back(indices_along(terms.shape, axis));
  }
  evaluate(call, parsed(call.parameter("expression"), names), indices, terms);
  const std::string op = call.choice("op", {"sum", "mean", "max", "min", "prod", "argmax", "argmin"});
  const size_t length = terms.values.size() / std::max<size_t>(1, result.values.size());
  for (size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = reduce_row(op, std::span(terms.values).subspan(i * length, length), 0);
  }
  return {std::move(result)};
}

NativeResults map_oracle(const NativeCall& call) {
  const base::JsonCursor several = call.parameter("expressions");
  const std::vector<TaskOutput>& outputs = call.task().outputs;
  if (several.is_absent() && outputs.size() != 1) {
    call.refuse("a task with several outputs needs `expressions`, an object with a formula for each");
  }
  std::vector<std::string_view> names;
  for (const TaskOutput& output : outputs) names.push_back(output.name);
  if (!several.is_absent()) several.expect_only(names);
  NativeResults results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const base::JsonCursor field =
        several.is_absent() ? call.parameter("expression") : several.get(outputs[i].name);
    const Expression expression = parsed(field, input_names(call));
    Tensor result = call.result(outputs[i].shape, i);
    evaluate(call, expression, {}, result);
    results.push_back(std::move(result));
  }
  return results;
}

Tensor apply_then(const NativeCall& call, Tensor result) {
  std::vector<std::string> names = input_names(call);
  names.emplace_back("result");
  const Expression expression = parsed(call.parameter("then"), names);
  Tensor changed{result.shape, std::vector<double>(result.values.size())};
  evaluate(call, expression, {&result, 1}, changed);
  return changed;
}

}  // namespace cuset::tasks
