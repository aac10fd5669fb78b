#include "model/embedding.h"

#include <torch/autograd.h>

namespace cuset::model {
namespace {

// CUDA's index_add_ adds with atomics, in any order; its accumulating index_put_ sorts. On the CPU it is the
// other way round.
void add_rows(const torch::Tensor& table, const torch::Tensor& ids, const torch::Tensor& rows) {
  if (table.is_cuda()) {
    table.index_put_({ids}, rows, /*accumulate=*/true);
  } else {
    table.index_add_(0, ids, rows);
  }
}

class TrainedLookup : public torch::autograd::Function<TrainedLookup> {
 public:
  // `anchor` is empty and asks for a gradient: autograd only records operations that have such an input.
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& /*anchor*/,
                               const torch::Tensor& ids, const ops::Parameter& table) {
    // Not save_for_backward: the gradient buffer changes between forward and backward, as it should.
    context->saved_data["ids"] = ids;
    context->saved_data["gradient"] = table.gradient;
    return table.value.index_select(0, ids);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto table = context->saved_data["gradient"].toTensor();
    add_rows(table, context->saved_data["ids"].toTensor(), gradients[0].to(table.scalar_type()));
    return {torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor embed(const torch::Tensor& ids, const ops::Parameter& table) {
  if (!table.is_trained() || !torch::GradMode::is_enabled()) return table.value.index_select(0, ids);
  const auto anchor = torch::empty({0}, table.value.options()).requires_grad_();
  return TrainedLookup::apply(anchor, ids, table);
}

}  // namespace cuset::model
