// One use of a native oracle: its operands, its parameters and its result, with messages that name the task.
//
// An oracle's operands have names of their own ("a" and "b" of matmul). They are the task's inputs in order,
// those left out whose domain is a size, unless a parameter of the operand's name names another input:
// {"a": "weights", "b": "x"}. Where the parameter `then` adds a formula, optional operands must be so named.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_cursor.h"
#include "tasks/oracles/native_tensor.h"
#include "tasks/task.h"

namespace cuset::tasks {

class NativeCall;

// What an oracle is called and takes.
struct NativeForm {
  std::string_view name;
  std::vector<std::string_view> operands;
  size_t required = 0;  // so many of them
  std::vector<std::string_view> parameters;
  std::vector<Tensor> (*compute)(const NativeCall& call) = nullptr;
};

// Borrows task and inputs.
class NativeCall {
 public:
  // Throws Error for unknown parameters, missing operands, and inputs that nothing uses.
  NativeCall(const NativeForm& form, const Task& task, const std::vector<Array>& inputs);

  const Task& task() const { return task_; }
  const Array& input(size_t index) const { return inputs_[index]; }

  bool has(std::string_view operand) const { return operands_.contains(operand); }
  // In float64. The operand must be there.
  Tensor operand(std::string_view name) const;
  NumberType operand_type(std::string_view name) const { return inputs_[operands_.at(name)].type; }

  base::JsonCursor parameter(std::string_view name) const { return parameters_.get(name); }
  // An axis of a tensor of `rank` axes; negative ones count from the end.
  size_t axis(const base::JsonCursor& field, int64_t usual, size_t rank) const;
  // A list of different axes, or one; `usual` where absent.
  std::vector<size_t> axes(const base::JsonCursor& field, std::vector<size_t> usual, size_t rank) const;
  // One of `known`, the first where absent.
  std::string choice(std::string_view name, const std::vector<std::string_view>& known) const;

  // Zeros of `shape`, for the output number `output`, once that is seen to be declared so (sides of 1 do not
  // count).
  Tensor result(Shape shape, size_t output = 0) const;

  // Throws Error "PLACE: oracle 'matmul': REASON".
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  void find_operands();
  size_t input_named(const base::JsonCursor& field) const;

  const NativeForm& form_;
  const Task& task_;
  const std::vector<Array>& inputs_;
  base::JsonCursor parameters_;
  std::map<std::string_view, size_t> operands_;
};

}  // namespace cuset::tasks
