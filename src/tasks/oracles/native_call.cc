#include "tasks/oracles/native_call.h"

#include <algorithm>

#include "base/error.h"
#include "tasks/domain_json.h"

namespace cuset::tasks {
namespace {

const base::Json& parameters_of(const Task& task) {
  static const base::Json none = base::Json::object();
  return task.oracle.parameters.is_null() ? none : task.oracle.parameters;
}

Shape without_ones(const Shape& shape) {
  Shape sides;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(sides), [](int64_t side) { return side != 1; });
  return sides;
}

}  // namespace

NativeCall::NativeCall(const NativeForm& form, const Task& task, const std::vector<Array>& inputs)
    : form_(form),
      task_(task),
      inputs_(inputs),
      parameters_(
          base::JsonCursor(parameters_of(task), task.place, "oracle.parameters").with_remedy(kTasksPage)) {
  CUSET_CHECK(inputs.size() == task.inputs.size(), "{} arrays for {} inputs", inputs.size(),
              task.inputs.size());
  std::vector<std::string_view> known = form.parameters;
  known.insert(known.end(), form.operands.begin(), form.operands.end());
  known.push_back("then");
  parameters_.expect_only(known);
  if (!form.operands.empty()) find_operands();
}

void NativeCall::find_operands() {
  std::vector<bool> used(inputs_.size());
  for (const std::string_view name : form_.operands) {
    if (parameter(name).is_absent()) continue;
    const size_t index = input_named(parameter(name));
    operands_[name] = index;
    used[index] = true;
  }
  size_t next = 0;
  const auto is_free = [&](size_t i) {
    return !used[i] && task_.inputs[i].domain.kind != Domain::Kind::kSize;
  };
  // What follows the oracle may use further inputs, so that optional operands must be named then.
  const bool has_then = !parameter("then").is_absent();
  const size_t by_order = has_then ? form_.required : form_.operands.size();
  for (size_t i = 0; i < by_order; ++i) {
    const std::string_view name = form_.operands[i];
    if (operands_.contains(name)) continue;
    while (next < inputs_.size() && !is_free(next)) ++next;
    if (next == inputs_.size()) break;
    operands_[name] = next++;
  }
  for (size_t i = 0; i < form_.required; ++i) {
    if (!has(form_.operands[i]))
      refuse(fmt::format("the task has no input for its operand {}", form_.operands[i]));
  }
  for (const auto& [name, index] : operands_) {
    if (inputs_[index].count() == 0) refuse(fmt::format("the input '{}' is empty", task_.inputs[index].name));
  }
  for (; next < inputs_.size(); ++next) {
    if (is_free(next) && !has_then) {
      refuse(fmt::format("it does not use the input '{}'", task_.inputs[next].name));
    }
  }
}

size_t NativeCall::input_named(const base::JsonCursor& field) const {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < task_.inputs.size(); ++i) {
    if (task_.inputs[i].name == field.string()) return i;
    names.push_back(task_.inputs[i].name);
  }
  field.refuse_name("an input", names);
}

Tensor NativeCall::operand(std::string_view name) const {
  const Array& array = inputs_[operands_.at(name)];
  return {array.shape, array.to_doubles()};
}

size_t NativeCall::axis(const base::JsonCursor& field, int64_t usual, size_t rank) const {
  const auto axes = static_cast<int64_t>(rank);
  if (axes == 0) refuse("its operand is one number and has no axis");
  const int64_t axis = field.is_absent() ? usual : field.integer(-axes, axes - 1);
  return static_cast<size_t>(axis < 0 ? axis + axes : axis);
}

std::vector<size_t> NativeCall::axes(const base::JsonCursor& field, std::vector<size_t> usual,
                                     size_t rank) const {
  if (field.is_absent()) return usual;
  if (!field.value().is_array()) return {axis(field, 0, rank)};
  std::vector<size_t> axes;
  for (const base::JsonCursor& element : field.elements_or_none()) {
    const size_t one = axis(element, 0, rank);
    if (std::find(axes.begin(), axes.end(), one) != axes.end()) field.refuse("has an axis twice");
    axes.push_back(one);
  }
  return axes;
}

std::string NativeCall::choice(std::string_view name, const std::vector<std::string_view>& known) const {
  const base::JsonCursor field = parameter(name);
  if (field.is_absent()) return std::string(known[0]);
  if (std::find(known.begin(), known.end(), field.string()) == known.end()) {
    field.refuse_name(fmt::format("a known {}", name), known);
  }
  return field.string();
}

Tensor NativeCall::result(Shape shape, size_t output) const {
  const TaskOutput& declared = task_.outputs[output];
  if (without_ones(shape) != without_ones(declared.shape)) {
    refuse(fmt::format("it gives {} for the output '{}', which is declared {}", text_of(shape), declared.name,
                       text_of(declared.shape)));
  }
  const uint64_t count = count_of(shape);
  return {std::move(shape), std::vector<double>(count)};
}

void NativeCall::refuse(const std::string& reason) const {
  throw base::Error("{}: oracle '{}': {}", task_.place, form_.name, reason)
      .with_remedy("see docs/tasks.md on native oracles");
}

}  // namespace cuset::tasks
