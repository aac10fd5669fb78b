#include "tasks/oracles/native_expression.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace cuset::tasks {
namespace {

constexpr size_t kBlock = 1024;

// A variable's numbers in the order of the result, block by block.
class StretchedValues {
 public:
  StretchedValues(const Tensor& tensor, const Shape& shape)
      : tensor_(&tensor), shape_(shape), index_(shape.size()) {
    const std::vector<uint64_t> strides = strides_of(tensor.shape);
    strides_.resize(shape.size());
    const size_t added = shape.size() - tensor.shape.size();
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      if (tensor.shape[axis] != 1) strides_[added + axis] = strides[axis];
    }
    same_ = tensor.values.size() == count_of(shape);
  }

  void next(std::span<double> block) {
    if (same_) {
      std::copy_n(tensor_->values.begin() + static_cast<int64_t>(place_), block.size(), block.begin());
      place_ += block.size();
      return;
    }
    for (double& value : block) {
      value = tensor_->values[place_];
      advance();
    }
  }

 private:
  void advance() {
    for (size_t axis = shape_.size(); axis-- > 0;) {
      place_ += strides_[axis];
      if (++index_[axis] < shape_[axis]) return;
      place_ -= strides_[axis] * static_cast<uint64_t>(shape_[axis]);
      index_[axis] = 0;
    }
  }

  const Tensor* tensor_;
  Shape shape_;
  Shape index_;
  std::vector<uint64_t> strides_;  // 0 along the axes that are repeated
  uint64_t place_ = 0;
  bool same_ = false;
};

}  // namespace

// Carries out the steps for one block of the result after the other.
class ExpressionMachine {
 public:
  ExpressionMachine(const Expression& expression, std::span<const Tensor* const> variables,
                    const Shape& shape)
      : steps_(expression.steps_), variables_(variables), stack_(expression.depth_) {
    for (const Step& step : steps_) {
      if (step.kind == Step::Kind::kRead) check_axes(step, expression);
      if (step.kind != Step::Kind::kVariable) continue;
      const Tensor& tensor = *variables[step.variable];
      CUSET_CHECK(stretches_to(tensor.shape, shape), "{} to {}", text_of(tensor.shape), text_of(shape));
      sources_.emplace_back(tensor, shape);
    }
  }

  void next(std::span<double> block) {
    size_ = block.size();
    top_ = 0;
    next_source_ = 0;
    for (const Step& step : steps_) run(step);
    std::copy_n(stack_[0].begin(), size_, block.begin());
  }

 private:
  using Step = Expression::Step;

  void run(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kNumber:
        stack_[top_++].fill(step.number);
        break;
      case Step::Kind::kVariable:
        sources_[next_source_++].next(std::span(stack_[top_++]).first(size_));
        break;
      case Step::Kind::kRead:
        top_ -= step.axes - 1;
        for (size_t i = 0; i < size_; ++i) stack_[top_ - 1][i] = read(*variables_[step.variable], i);
        break;
      case Step::Kind::kUnary:
        for (size_t i = 0; i < size_; ++i) stack_[top_ - 1][i] = step.unary(stack_[top_ - 1][i]);
        break;
      case Step::Kind::kBinary:
        --top_;
        for (size_t i = 0; i < size_; ++i) {
          stack_[top_ - 1][i] = step.binary(stack_[top_ - 1][i], stack_[top_][i]);
        }
        break;
      case Step::Kind::kWhere:
        top_ -= 2;
        for (size_t i = 0; i < size_; ++i) {
          stack_[top_ - 1][i] = stack_[top_ - 1][i] != 0 ? stack_[top_][i] : stack_[top_ + 1][i];
        }
        break;
    }
  }

  // The number of `tensor` at the places that lie from top_ - 1 on; 0 outside.
  double read(const Tensor& tensor, size_t i) const {
    uint64_t place = 0;
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      const double index = std::floor(stack_[top_ - 1 + axis][i]);
      if (!(index >= 0 && index < static_cast<double>(tensor.shape[axis]))) return 0;
      place = place * static_cast<uint64_t>(tensor.shape[axis]) + static_cast<uint64_t>(index);
    }
    return tensor.values[place];
  }

  void check_axes(const Step& step, const Expression& expression) const {
    const size_t axes = variables_[step.variable]->shape.size();
    if (axes == step.axes) return;
    throw base::Error("{} has {} axes, but {} places are given",
                      base::in_quotes(expression.names_[step.variable]), axes, step.axes)
        .with_remedy("see docs/tasks.md on formulas");
  }

  const std::vector<Step>& steps_;
  std::span<const Tensor* const> variables_;
  std::vector<StretchedValues> sources_;  // one for each variable in the steps, in their order
  std::vector<std::array<double, kBlock>> stack_;
  size_t size_ = 0;         // of the block
  size_t top_ = 0;          // blocks on the stack
  size_t next_source_ = 0;  // of the step to come
};

void Expression::evaluate(std::span<const Tensor* const> variables, Tensor& result) const {
  ExpressionMachine machine(*this, variables, result.shape);
  const std::span<double> values(result.values);
  for (size_t done = 0; done < values.size(); done += kBlock) {
    machine.next(values.subspan(done, std::min(kBlock, values.size() - done)));
  }
}

bool stretches_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  const size_t added = to.size() - from.size();
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != 1 && from[axis] != to[added + axis]) return false;
  }
  return true;
}

}  // namespace cuset::tasks
