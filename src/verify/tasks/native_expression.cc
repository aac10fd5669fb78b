#include "verify/tasks/native_expression.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace cuset {
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

void Expression::evaluate(std::span<const Tensor* const> variables, Tensor& result) const {
  std::vector<StretchedValues> sources;
  std::vector<size_t> source_of(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].kind != Step::Kind::kVariable) continue;
    const Tensor& tensor = *variables[steps_[i].variable];
    CUSET_CHECK(stretches_to(tensor.shape, result.shape), "{} to {}", text_of(tensor.shape),
                text_of(result.shape));
    source_of[i] = sources.size();
    sources.emplace_back(tensor, result.shape);
  }
  std::vector<std::array<double, kBlock>> stack(depth_);
  for (size_t done = 0; done < result.values.size(); done += kBlock) {
    const size_t size = std::min(kBlock, result.values.size() - done);
    size_t top = 0;  // blocks on the stack
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      switch (step.kind) {
        case Step::Kind::kNumber:
          stack[top++].fill(step.number);
          break;
        case Step::Kind::kVariable:
          sources[source_of[i]].next(std::span(stack[top++]).first(size));
          break;
        case Step::Kind::kUnary:
          for (size_t j = 0; j < size; ++j) stack[top - 1][j] = step.unary(stack[top - 1][j]);
          break;
        case Step::Kind::kBinary:
          --top;
          for (size_t j = 0; j < size; ++j) stack[top - 1][j] = step.binary(stack[top - 1][j], stack[top][j]);
          break;
        case Step::Kind::kWhere:
          top -= 2;
          for (size_t j = 0; j < size; ++j) {
            stack[top - 1][j] = stack[top - 1][j] != 0 ? stack[top][j] : stack[top + 1][j];
          }
          break;
      }
    }
    std::copy_n(stack[0].begin(), size, result.values.begin() + static_cast<int64_t>(done));
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

}  // namespace cuset
