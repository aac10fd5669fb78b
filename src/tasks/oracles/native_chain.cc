// "chain": oracles one after the other. Each step but the last gives a tensor a name, which later steps take
// as an input:
//   {"steps": [{"name": "squares", "shape": [4, 8], "native": "map", "parameters": {"expression": "x * x"}},
//              {"native": "reduce", "inputs": ["squares"], "parameters": {"op": "max", "axes": 1}}]}
#include <fmt/format.h>

#include "base/error.h"
#include "tasks/domain_json.h"
#include "tasks/oracles/native_oracles.h"
#include "tasks/oracles/oracles.h"

namespace cuset::tasks {
namespace {

// What a step may take: the inputs, then the results of earlier steps.
struct Known {
  std::vector<TaskInput> inputs;
  std::vector<Array> arrays;

  void add(const TaskInput& input, Array array) {
    inputs.push_back(input);
    arrays.push_back(std::move(array));
  }
};

// All that is known where the step does not say what it takes.
Known taken(const Known& known, const base::JsonCursor& field) {
  if (field.is_absent()) return known;
  Known some;
  for (const base::JsonCursor& wanted : field.elements_or_none()) {
    std::vector<std::string_view> names;
    size_t index = 0;
    while (index < known.inputs.size() && known.inputs[index].name != wanted.string())
      names.push_back(known.inputs[index++].name);
    if (index == known.inputs.size()) wanted.refuse_name("an input or an earlier step", names);
    some.add(known.inputs[index], known.arrays[index]);
  }
  return some;
}

Array result_of(const base::JsonCursor& step, const Known& known, const TaskOutput& output) {
  const std::string& native = step.get("native").nonempty_string();
  if (native == "chain") step.get("native").refuse("cannot be a chain itself");
  const Known from = taken(known, step.get("inputs"));
  Task task;
  task.place = step.source();
  task.inputs = from.inputs;
  task.outputs = {output};
  task.oracle.native = native;
  task.oracle.parameters = step.get("parameters").value();
  return std::move(oracle_named(native, task)(task, from.arrays)[0]);
}

}  // namespace

NativeResults chain_oracle(const NativeCall& call) {
  const std::vector<base::JsonCursor> steps = call.parameter("steps").elements_or_none();
  if (steps.empty()) call.parameter("steps").refuse("must have a step");
  Known known;
  for (size_t i = 0; i < call.task().inputs.size(); ++i) known.add(call.task().inputs[i], call.input(i));
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    steps[i].expect_only({"name", "native", "parameters", "inputs", "shape"});
    const TaskOutput part{steps[i].get("name").nonempty_string(),
                          NumberType::kFloat64,
                          shape_from_json(steps[i].get("shape")),
                          {}};
    Array array = result_of(steps[i], known, part);
    known.add({part.name, part.type, part.shape, {}}, std::move(array));
  }
  const base::JsonCursor& last = steps.back();
  last.expect_only({"native", "parameters", "inputs"});
  const Array array = result_of(last, known, call.task().outputs[0]);
  Tensor result = call.result(array.shape);
  result.values = array.to_doubles();
  return {std::move(result)};
}

}  // namespace cuset::tasks
