// "map": every number of an output is a formula of the inputs' numbers at its place. And `then`, the same for
// what another oracle gave.
#include <optional>

#include "base/error.h"
#include "verify/tasks/native_expression.h"
#include "verify/tasks/native_oracles.h"

namespace cuset {
namespace {

Expression parsed(const JsonField& field, const std::vector<std::string>& names) {
  try {
    return Expression(field.text(), names);
  } catch (const Error& error) {
    field.refuse(fmt::format("{}: {}", in_quotes(field.text()), error.what()), error.remedy());
  }
}

// Only the inputs that the formula uses are widened. `extra` is the variable after the inputs, or null.
void evaluate(const NativeCall& call, const Expression& expression, const Tensor* extra, Tensor& result) {
  const size_t inputs = call.task().inputs.size();
  std::vector<Tensor> tensors(inputs);
  std::vector<const Tensor*> variables(inputs);
  for (size_t i = 0; i < inputs; ++i) {
    if (!expression.uses(i)) continue;
    const Array& array = call.input(i);
    if (!stretches_to(array.shape, result.shape)) {
      call.refuse(fmt::format("the input '{}' of shape {} does not stretch to {}", call.task().inputs[i].name,
                              text_of(array.shape), text_of(result.shape)));
    }
    tensors[i] = {array.shape, array.to_doubles()};
    variables[i] = &tensors[i];
  }
  variables.push_back(extra);
  expression.evaluate(variables, result);
}

std::vector<std::string> input_names(const NativeCall& call) {
  std::vector<std::string> names;
  for (const TaskInput& input : call.task().inputs) names.push_back(input.name);
  return names;
}

}  // namespace

NativeResults map_oracle(const NativeCall& call) {
  const JsonField several = call.parameter("expressions");
  const std::vector<TaskOutput>& outputs = call.task().outputs;
  if (several.is_absent() && outputs.size() != 1) {
    call.refuse("a task with several outputs needs `expressions`, an object with a formula for each");
  }
  std::vector<std::string_view> names;
  for (const TaskOutput& output : outputs) names.push_back(output.name);
  if (!several.is_absent()) several.expect_only(names);
  NativeResults results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const JsonField field = several.is_absent() ? call.parameter("expression") : several[outputs[i].name];
    const Expression expression = parsed(field, input_names(call));
    Tensor result = call.result(outputs[i].shape, i);
    evaluate(call, expression, nullptr, result);
    results.push_back(std::move(result));
  }
  return results;
}

Tensor apply_then(const NativeCall& call, Tensor result) {
  std::vector<std::string> names = input_names(call);
  names.emplace_back("result");
  const Expression expression = parsed(call.parameter("then"), names);
  Tensor changed{result.shape, std::vector<double>(result.values.size())};
  evaluate(call, expression, &result, changed);
  return changed;
}

}  // namespace cuset
